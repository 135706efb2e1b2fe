/** factsView: what is true at the end of the messages, by kind, and which of it the hand-off says. */
import type { Message } from "../conversation/message.ts";
import { deedsOf, rulesOf } from "../engine/facts.ts";
import type { ItemDraft } from "../engine/items.ts";
import { readConversation } from "../engine/reading.ts";
import { stateOf } from "../engine/state.ts";
import { quotable } from "../engine/write.ts";
import type { LedgerSectionView } from "./views.ts";

/**
 * @param handOff the text of the hand-off
 * @param ours the keys of the hand-offs among the messages that are ours
 */
export function factsView(
  messages: readonly Message[],
  handOff: string,
  ours: ReadonlySet<string>,
): readonly LedgerSectionView[] {
  const readings = readConversation(messages, ours);
  const section = (name: string, facts: readonly ItemDraft[], mustKeep: boolean): LedgerSectionView => ({
    name,
    lines: facts.map(({ sections }) => {
      const { text } = sections[0]!;
      return { text, told: handOff.includes(quotable(text).replace(/\n/g, "\n ")), mustKeep };
    }),
  });
  return [
    section("Rules of the user", rulesOf(readings), true),
    section("Done, not to be repeated", deedsOf(readings), true),
    section("State", stateOf(readings), false),
  ].filter(({ lines }) => lines.length > 0);
}
