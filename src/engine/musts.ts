/**
 * What must be there, each within its share: the latest ask, rules, deeds, the first ask, what people typed, state, the agent's last
 * words, what nobody has reacted to yet, what calls hang on. All that people typed, the newest message, the newest report and all
 * that was said are whole where they fit into a share.
 */
import { isInPlay, type Must } from "./allocate.ts";
import { type Item, isStory, type Kind, type Part } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import type { Tail } from "./tail.ts";
import type { Lexicon } from "./words.ts";

export interface MustsRequest {
  readonly tail: Pick<Tail, "held" | "tokens">;
  readonly target: number;
  readonly lexicon: Lexicon;
}

export function mustsOf(items: readonly Item[], { tail, target, lexicon }: MustsRequest): Must[] {
  const { share } = NUMBERS;
  const { held } = tail;
  const left = target - tail.tokens;
  const ofKind = (kind: Kind) => items.filter((item) => item.kind === kind);
  const partsOf = (kind: Kind) => ofKind(kind).flatMap((item) => item.parts);
  const first = (kind: Kind) => ofKind(kind)[0]?.parts ?? [];
  const latest = (kind: Kind) => ofKind(kind).at(-1)?.parts ?? [];
  const ask = askOf(items).flatMap((item) => item.parts);
  const calls = ofKind("call");
  const said = ofKind("said");
  const spoken = [...partsOf("ask"), ...said.flatMap((item) => (item.is === "announcing" ? [] : item.parts))];
  const announced = said.flatMap((item) => (item.is === "announcing" ? item.parts : []));
  const sum = (parts: readonly Part[]) =>
    parts.reduce((all, part) => (held.has(part) ? all : all + part.tokens), 0);
  const rest = target * share.spoken;
  const whole = (parts: readonly Part[]) => (sum(parts) <= target * share.whole ? parts : []);
  // The newest words that say more than what is done next, whether or not a call stands beside them.
  const report =
    said.findLast((item) => item.is !== "announcing" || item.parts.length > NUMBERS.report)?.parts ?? [];
  // The floor is that of the smallest target that is promised: below it nothing more is left out.
  const floor = Math.max(target, NUMBERS.least) - NUMBERS.frame;
  return [
    { parts: ask, room: Math.max(floor * share.ask, target / 4), isObliged: true },
    { parts: partsOf("rule").reverse(), room: floor * share.rules, isObliged: true },
    { parts: partsOf("deed"), room: floor * share.deeds },
    { parts: ask, room: sum(ask) <= target * share.newestAsk ? target : 0 },
    { parts: first("ask"), room: target * share.first },
    {
      parts: partsOf("ask")
        .filter((part) => part.worth > 1)
        .reverse(),
      room: target * share.asks,
      best: true,
    },
    { parts: partsOf("state"), room: left * share.state },
    ...[partsOf("ask"), latest("said"), report].map((parts) => ({
      parts: whole(parts),
      room: target * share.whole,
    })),
    { parts: latest("said"), room: left * share.last, best: true },
    {
      parts: unanswered(items).flatMap((item) => item.parts),
      room: Math.min(left * share.unanswered, NUMBERS.atMost),
      best: true,
    },
    {
      parts: calls.slice(-NUMBERS.newestCalls).flatMap((item) => item.parts),
      room: left * share.now,
      best: true,
    },
    {
      parts: calls.filter((item) => item.is === "deed").flatMap((item) => item.parts),
      room: left * share.done,
      best: true,
    },
    {
      parts: calls.flatMap((item) => item.parts.filter((part) => isInPlay(part, lexicon))),
      room: left * share.inPlay,
      best: true,
    },
    { parts: sum(spoken) <= rest ? spoken : [], room: rest },
    { parts: sum(spoken) + sum(announced) <= rest && target >= NUMBERS.roomy ? announced : [], room: rest },
  ];
}

/** What a person said last: several items, where a program put something between their words. */
export function askOf(items: readonly Item[]): readonly Item[] {
  const last = items.findLast(({ kind }) => kind === "ask");
  return last ? items.filter(({ kind, at }) => kind === "ask" && at === last.at) : [];
}

/** How many parts of the ranking no result goes without. */
export function obliged(ranking: readonly Part[], musts: readonly Must[]): number {
  const parts = new Set(musts.flatMap((must) => (must.isObliged ? must.parts : [])));
  const first = ranking.findIndex((part) => !parts.has(part) && !part.led.some((led) => parts.has(led)));
  return first < 0 ? ranking.length : first;
}

/** The calls of the newest turn, when nobody has said anything since. */
function unanswered(items: readonly Item[]): Item[] {
  const story = items.filter(isStory);
  const end = story.findLastIndex((item) => item.kind !== "call") + 1;
  const at = story.at(-1)?.at;
  return story.slice(end).filter((item) => item.at === at);
}
