/** archivedMessages: what was said in a conversation, as an archive keeps it for the search. */

import { isMasked } from "../conversation/masked-messages.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import { toolNamesOf } from "../conversation/tool-names.ts";
import { maskText } from "../redact/mask-json.ts";
import type { ArchivedMessage, CompactionRecord, MessagePlace } from "./archive.ts";
import { knownMasked, maskedNames } from "./masked-item.ts";

/** What was said, for the search: not what Pith put there itself. */
export function archivedMessages(
  messages: readonly Message[],
  places: readonly MessagePlace[],
  {
    at,
    times = [],
    last,
  }: {
    readonly at: number;
    /** When each was said, if not now. */
    readonly times?: readonly (number | undefined)[];
    readonly last?: CompactionRecord | undefined;
  },
): readonly ArchivedMessage[] {
  const original = new Set(last?.messagesBefore.map(({ id }) => id));
  const written = new Set(last?.messagesAfter.flatMap(({ id }) => (original.has(id) ? [] : [id])));
  const tools = toolNamesOf(messages);
  return messages.flatMap((message, index) => {
    const { position, id } = places[index]!;
    if (position < 0 || written.has(id)) return [];
    const said = textOfMessage(message);
    const text = isMasked(message) ? said : maskText(said).text;
    const named = maskedNames(tools[index]!);
    return [knownMasked({ position, id, role: message.role, tools: named, text, at: times[index] ?? at })];
  });
}
