/** Builders of archive writes, for the conformance suite and for tests of recall. */
import type { ArchivedMessage, ArchiveItem, ArchiveWrite, CompactionRecord } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";

/** A message item as a wire format would write it. */
export function messageItem(text: string, role = "user"): ArchiveItem {
  return archiveItem("message", JSON.stringify({ role, content: text }));
}

/** The place of a message item in a conversation. */
export function saidAs(
  item: ArchiveItem,
  { position, text, ...rest }: Partial<ArchivedMessage> & Pick<ArchivedMessage, "position" | "text">,
): ArchivedMessage {
  return { position, id: item.id, role: "user", tools: [], text, at: 1_000 + position, ...rest };
}

/** User messages in order, from position `first` on. */
export function textWrite(conversation: string, texts: readonly string[], first = 0): ArchiveWrite {
  const items = texts.map((text) => messageItem(text));
  const messages = items.map((item, index) => saidAs(item, { position: first + index, text: texts[index]! }));
  return { conversation, at: 1, items, messages };
}

/** A whole compaction of a small conversation: bodies before and after, span, hand-off, plan and state. */
export function compactionWrite(conversation: string, at: number): ArchiveWrite {
  const texts = [`Fix the parser (${at}).`, `It fails on line ${at}.`, `Fixed in ${at}.`];
  const messages = texts.map((text) => messageItem(`${conversation}: ${text}`));
  const handOff = archiveItem("hand-off", `[${conversation}] Earlier work, ${at}`);
  const written = messageItem(handOff.content, "assistant");
  const glue = archiveItem("glue", `{"model":"m","at":${at},"messages":[`);
  const span = archiveItem("span", idsOf(messages.slice(0, 2)).join("\n"));
  const before = archiveItem("request", idsOf([glue, ...messages]).join("\n"));
  const after = archiveItem("request", idsOf([glue, written, messages[2]!]).join("\n"));
  const plan = archiveItem("plan", `{"steps":[],"for":"${conversation}","at":${at}}`);
  const state = archiveItem("state", `{"compactions":1,"of":"${conversation}","at":${at}}`);
  const compaction: CompactionRecord = {
    id: archiveItem("plan", `record ${conversation} ${at}`).id,
    conversation,
    at,
    preset: "balanced",
    tokensBefore: 900,
    tokensAfter: 300,
    before: before.id,
    after: after.id,
    messagesBefore: messages.map(({ id }, position) => ({ position, id })),
    messagesAfter: [
      { position: -1, id: written.id },
      { position: 2, id: messages[2]!.id },
    ],
    plan: plan.id,
    state: state.id,
    handOff: handOff.id,
    markers: [span.id, messages[0]!.id],
  };
  return {
    conversation,
    at,
    items: [...messages, handOff, written, glue, span, before, after, plan, state],
    messages: messages.map((item, position) => saidAs(item, { position, text: texts[position]! })),
    compaction,
  };
}

function idsOf(items: readonly ArchiveItem[]): readonly string[] {
  return items.map(({ id }) => id);
}

/** Texts that a store may trip over. */
export const ODD_CONTENTS: readonly string[] = [
  "",
  " ",
  "plain",
  "two\r\nlines\n",
  "\ufeffwith a mark",
  "nul \0 inside",
  "half \ud83d of a pair",
  "🙂 whole pair",
  "quotes ' \" ` \\ % _ * ( ) -- ;",
  "\u0000",
];
