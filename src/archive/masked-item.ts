/** What is stored is masked here, whoever made it: every item is made by this, and every store asks it before it writes. */
import { type Masked, maskJson, maskText } from "../redact/mask-json.ts";
import type { ArchivedMessage, ArchiveItem, ArchiveWrite, ItemKind } from "./archive.ts";

/** The content of an item as it may be stored. Masking what is masked changes nothing. */
export function maskContent(kind: ItemKind, content: string): Masked {
  switch (kind) {
    case "span":
    case "request":
      return IDS.test(content) ? { text: content, masked: [] } : maskText(content);
    case "message":
    case "plan":
      return maskJson(content);
    case "state":
      return maskJson(content, { spares: OWN_NAMES });
    default:
      return maskText(content);
  }
}

/** Ids of pieces, one a line, with the turns that they are of. */
const IDS = /^(?:pith:[0-9a-z]{8,}(?: \d+(?:-\d+)?){0,2}(?:\n|$))*$/;
/** Under these a state says which conversation, request or call it is about: it is found by them again. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  "name",
  "conversation",
  "conversationId",
  "tenant",
  "snapshot",
  "lastCompaction",
  "honouredRequest",
  "callId",
  "pairId",
]);

/** What was masked when it was made need not be looked through again when it is written. */
const known = new WeakSet<ArchiveItem | ArchivedMessage>();

/** Says that secrets were masked in it. */
export function knownMasked<Made extends ArchiveItem | ArchivedMessage>(made: Made): Made {
  known.add(made);
  return made;
}

/**
 * The write without secrets. An item that somebody made by hand keeps its id, so that what names it still finds it, although
 * its content is another one than the id was made from.
 */
export function maskedWrite(write: ArchiveWrite): ArchiveWrite {
  const { items, messages } = write;
  return {
    ...write,
    items: items.map(maskedItem),
    ...(messages && { messages: messages.map(maskedMessage) }),
  };
}

function maskedItem(item: ArchiveItem): ArchiveItem {
  if (known.has(item)) return item;
  const { text, masked } = maskContent(item.kind, item.content);
  return masked.length === 0 ? item : { ...item, content: text, masked: [...item.masked, ...masked] };
}

function maskedMessage(message: ArchivedMessage): ArchivedMessage {
  if (known.has(message)) return message;
  const { text, masked } = maskText(message.text);
  return masked.length === 0 ? message : { ...message, text };
}
