/** What is stored is masked here, whoever made it: every item is made by this, and so is every ReadyWrite. */
import { maskFound } from "../redact/found-secret.ts";
import { type Masked, maskJson, maskText } from "../redact/mask-json.ts";
import type { ArchivedMessage, ArchiveItem, CompactionRecord, ItemKind } from "./archive.ts";

/** The content of an item as it may be stored. Masking what is masked changes nothing. */
export function maskContent(kind: ItemKind, content: string): Masked {
  switch (kind) {
    case "span":
    case "request":
      return IDS.test(content) ? { text: maskFound(content, []), masked: [] } : maskText(content);
    case "message":
    case "plan":
      return maskJson(content);
    case "state":
      return maskJson(content, { spares: OWN_NAMES, sparedDepth: OWN_DEPTH });
    default:
      return maskText(content);
  }
}

/** Ids of pieces, one a line, with the turns that they are of. */
const IDS = /^(?:pith:[0-9a-z]{8,}(?: \d+(?:-\d+)?){0,2}(?:\n|$))*$/;
/** Under these a state says at its top which conversation, request or call it is about: it is found by them again. */
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

/** Of the state itself, and of what it holds by name: further in, names are those of others. */
const OWN_DEPTH = 2;

/** What was masked when it was made need not be looked through again when it is written. */
const known = new WeakSet<ArchiveItem | ArchivedMessage>();

/** Says that secrets were masked in it. */
export function knownMasked<Made extends ArchiveItem | ArchivedMessage>(made: Made): Made {
  known.add(made);
  return made;
}

/** The same under its own id, without secrets. */
export function maskedItem(item: ArchiveItem): ArchiveItem {
  if (known.has(item)) return item;
  const { text, masked } = maskContent(item.kind, item.content);
  return masked.length === 0 ? item : { ...item, content: text, masked: [...item.masked, ...masked] };
}

export function maskedMessage(message: ArchivedMessage): ArchivedMessage {
  if (known.has(message)) return message;
  return { ...message, text: maskText(message.text).text, tools: maskedNames(message.tools) };
}

/** A model may call a tool by any name. */
export function maskedNames(names: readonly string[]): readonly string[] {
  return names.map((name) => maskText(name).text);
}

/** All else in it are ids and numbers, and the conversation's name. */
export function maskedRecord(record: CompactionRecord): CompactionRecord {
  const { text, masked } = maskText(record.preset);
  return masked.length === 0 ? record : { ...record, preset: text };
}
