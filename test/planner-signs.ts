/**
 * What a suite has to know of the planner that runs: the signs of its hand-offs, and what it promises where two planners promise different
 * things. The engine of src/engine runs where PITH_ENGINE is set, but for the policies that it leaves to the other.
 */

import { memoryArchive } from "../src/archive/memory.ts";
import type { Conversation } from "../src/conversation/conversation.ts";
import { findHandoff } from "../src/conversation/handoffs/prefixes.ts";
import { handoffIn, isHandoffMessage } from "../src/conversation/handoffs/separate.ts";
import type { Message } from "../src/conversation/message.ts";
import { SHAPE_NOTE } from "../src/conversation/shape-note.ts";
import { rulesIn } from "../src/engine/facts.ts";
import type { Kind } from "../src/engine/items.ts";
import { mustKeepsOf } from "../src/engine/must-keeps.ts";
import { plansByEngine } from "../src/engine/planner.ts";
import { readConversation } from "../src/engine/reading.ts";
import { openedBy, readHandoff } from "../src/engine/write.ts";
import { asksOf, constraintsOf } from "../src/handoff/asks.ts";
import { readSections } from "../src/handoff/sections.ts";
import { type CompactorOptions, createCompactor } from "../src/index.ts";
import { emptyLedger } from "../src/ledger/ledger.ts";
import { readLedgerLines } from "../src/ledger/read-ledger-lines.ts";
import { mustKeepLines } from "../src/ledger/told-facts.ts";
import { updateLedger } from "../src/ledger/update-ledger.ts";
import type { PresetExpression } from "../src/policy/presets.ts";
import { askSentences, userWordsOf } from "../src/reading/user-words.ts";
import { handoffTexts } from "../src/run/own-handoffs.ts";
import { bindingSentences } from "../src/salience/binding-sentences.ts";
import { SHAPE_GAP } from "../src/shapes/shape-note.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { engineFloor, independentFloor, placeTokens } from "./independent-floor.ts";
import { readByMarks, readStrictly, type StrictReading, type Voice } from "./strict-handoff.ts";

export interface Numbered {
  readonly asked: string;
  readonly number: string;
  readonly from: number;
  readonly to: number;
  readonly printed: string;
}

export interface PlannerSigns {
  /** Every line of a hand-off with who says it, and whatever about it could be taken for something else. */
  readonly read: (handoff: string, prefix: RegExp) => StrictReading;
  /** What a person lays down in the newest of these messages, word for word. */
  readonly laidDown: (messages: readonly Message[]) => readonly string[];
  /** The rules that messages hold, those that a hand-off carries included. */
  readonly rules: (messages: readonly Message[]) => readonly string[];
  /** Of rules, the oldest first, those that no result of so many tokens goes without. */
  readonly owedRules: (rules: readonly string[], tokens: number) => readonly string[];
  /** The lines of the newest ask that no result of so many tokens goes without. */
  readonly owedAsk: (messages: readonly Message[], tokens: number) => readonly string[];
  /** A hand-off may be the last message: there is no room for a message beside it. */
  readonly mayEndInHandoff: (messages: readonly Message[], tokens: number) => boolean;
  /** From so many tokens on there is a result; below it a typed error is right. */
  readonly floor: (conversation: Conversation, pins?: readonly number[]) => number;
  /** A hand-off is known as its own by the state or the archive alone: where there is neither, it is quoted. */
  readonly toKnowAgain: () => Pick<CompactorOptions, "archive">;
  /** One that is not known is told as an earlier summary, whoever speaks in it. */
  readonly quotesUnknown: boolean;
  /** So many times a plan is made at the most until it fits. */
  readonly mostPasses: number;
  /** The smallest target that is promised, where the floor that an error names is smaller. */
  readonly least: number;
  /** Sentences by which a person lays something down: with the words that this planner knows rules by. */
  readonly demands: readonly [string, string];
  /** How a line begins in which a person speaks, or the agent. */
  readonly opens: { readonly person: RegExp; readonly agent: RegExp };
  /** A line in which a person says these words, and one in which an agent with a name begins with them. */
  readonly asks: (words: string) => RegExp;
  readonly says: (name: string, words: string) => RegExp;
  /** The numbers of balanced's stages and tail are limits; else places are bought for as much of the room as the room is of the whole. */
  readonly hasLimits: boolean;
  /** How often a hand-off's own words tell a rule, beside the ask that it is from. */
  readonly timesTold: (text: string, rule: string) => number;
  /** A conversation of which every message keeps its place is not handed off: so many rounds of one that grows. */
  readonly roundsInPlace: number;
  /** Does a text say that this file was worked on? */
  readonly names: (text: string, path: string) => boolean;
  /** The id of what a hand-off stands for. */
  readonly opened: (body: string) => string | undefined;
  /** By which numbers a turn of an ask, a call, its result and an answer is opened, and what of its messages the call's number opens. */
  readonly numbered: (turn: number) => Numbered;
  /** What the hand-off of these messages may not be without, but for what people said; and so many of that are counted with it. */
  readonly mustKeeps: (messages: readonly Message[]) => readonly string[];
  readonly saidBesides: (rules: number) => number;
  /** Those that the own lines of hand-offs among messages tell. */
  readonly kept: (messages: readonly Message[]) => readonly string[];
  /** A text without what tells how much of an output is left out. */
  readonly withoutCounts: (text: string) => string;
  /** A model's text is whole or not there; else there is as much of it as there is room for. */
  readonly tellsWhole: boolean;
  /** How a hand-off tells a text that a model wrote, says in its first line that it does, and introduces what one wrote earlier. */
  readonly summary: (text: string) => string;
  readonly saysSummary: RegExp;
  readonly earlier: string;
  /** At so many tokens the example's hand-off has no room for a summary. */
  readonly noRoom: number;
  /** What tells that instructions left the view, by what loads them again. */
  readonly gone: (name: string, how: string) => string;
}

/**
 * The engine keeps a share of the room for what a person asked last and for rules, and nothing whole that is more; the newest message
 * stays a message within what these leave.
 */
const SHARE = { ask: 1 / 5, rules: 1 / 12, newest: 1 / 2 };
const LINE = 4;

const counter = createTokenCounter();

const stages: PlannerSigns = {
  read: readStrictly,
  laidDown: (messages) => bindingSentences(userWordsOf(messages.at(-1)!)),
  rules: constraintsOf,
  owedRules: (rules) => rules,
  owedAsk: (messages) => askSentences(asksOf(messages, () => false).latest),
  mayEndInHandoff: () => false,
  floor: independentFloor,
  toKnowAgain: () => ({}),
  quotesUnknown: false,
  // Three ways to keep what is promised whole, two to fit it, three floors, and the lighter stages.
  mostPasses: 9,
  least: 0,
  demands: ["Don't use any new dependency.", "All dates must be written as YYYY-MM-DD."],
  opens: { person: /^(?:\[\d+\] )?User: /gm, agent: /^(?:\[\d+\] )?Answer: /gm },
  asks: (words) => new RegExp(`^(?:\\[\\d+\\] )?User: ${words}`, "m"),
  says: (name, words) => new RegExp(`^Agent: ${name}: ${words}`, "m"),
  hasLimits: true,
  timesTold: (text, rule) => text.split(rule).length - 1,
  roundsInPlace: 0,
  names: (text, path) => text.includes(path),
  opened: (body) => /All of it in full: (pith:\w+)/.exec(body)?.[1],
  // A turn has one number, and its steps have theirs.
  numbered: (turn) => ({ asked: `${turn}`, number: `${turn}`, from: 0, to: 4, printed: `${turn}.2` }),
  mustKeeps: (messages) => mustKeepLines(updateLedger(emptyLedger, messages)),
  saidBesides: (rules) => rules + 1,
  kept: (messages) =>
    messages.flatMap((message) => {
      const found = handoffIn(message);
      return found ? mustKeepLines(readLedgerLines(readSections(found.body))) : [];
    }),
  withoutCounts: (text) =>
    text
      .split("\n")
      .filter((line) => !SHAPE_GAP.test(line) && !SHAPE_NOTE.test(line))
      .join("\n"),
  tellsWhole: false,
  summary: (text) => `[0] Summary by a model: ${text}`,
  saysSummary: /^History, not a request; word for word except the summary, /,
  earlier: "[0] Earlier summary: ",
  noRoom: 350,
  gone: (name, how) => `${name}: loaded by ${how}`,
};

const engine: PlannerSigns = {
  read: (handoff, prefix) => {
    const { lines, faults } = readByMarks(handoff, prefix);
    return { lines, faults: [...faults, ...readOtherwise(handoff, lines)] };
  },
  laidDown: (messages) => rulesIn(readingsOf(messages).slice(-1)),
  rules: (messages) => rulesIn(readingsOf(messages)),
  owedRules: (rules, tokens) => {
    let left = tokens * SHARE.rules;
    return rules.toReversed().filter((rule) => {
      left -= counter.text(rule) + LINE;
      return left >= 0;
    });
  },
  owedAsk: (messages, tokens) => {
    const asks = readingsOf(messages).flatMap(({ words, earlier }) => [
      ...earlier.filter(({ kind }) => kind === "ask").map(({ sections }) => [sections[0]!.text]),
      words.filter(({ speaker }) => speaker === "person").map(({ text }) => text),
    ]);
    const lines = (asks.findLast((ask) => ask.length > 0) ?? [])
      .flatMap((text) => text.split("\n"))
      .map((line) => line.trim())
      // What an earlier hand-off left out is told by its sign; a picture has no words.
      .filter((line) => /[\p{L}\p{N}]/u.test(line) && !line.includes("…") && !MEDIA.test(line));
    const size = lines.reduce((sum, line) => sum + counter.text(line) + LINE, 0);
    return size <= tokens * SHARE.ask ? lines : [];
  },
  mayEndInHandoff: (messages, tokens) => placeTokens(messages) > tokens * SHARE.newest,
  floor: engineFloor,
  toKnowAgain: () => ({ archive: memoryArchive() }),
  quotesUnknown: true,
  // As often as what a source protects gives way, then three wishes without, and each a search by guesses and then halves.
  mostPasses: (6 + 3) * 21,
  least: 300,
  demands: ["Never use any new dependency.", "From now on all dates are written as YYYY-MM-DD."],
  opens: { person: /^>\d* /gm, agent: /^=\d* /gm },
  asks: (words) => new RegExp(`^>\\d* ?${words}`, "m"),
  says: (name, words) => new RegExp(`^=\\d* ${name}: ${words}`, "m"),
  hasLimits: false,
  timesTold: (text, rule) => text.split(`\n§ ${rule}\n`).length - 1,
  roundsInPlace: 1,
  // The folder of most paths is told once.
  names: (text, path) => {
    const folder = /- paths of calls are in ([^\s\\"]+)/.exec(text)?.[1];
    const short = folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path;
    return text.includes(path) || text.split(/\\n|[\s",()]/).includes(short);
  },
  opened: (body) => openedBy(body)?.id,
  // Each message has one, with what answers its calls.
  numbered: (turn) => {
    const call = `${3 * turn - 1}`;
    return { asked: `${3 * turn - 2}`, number: call, from: 1, to: 3, printed: call };
  },
  mustKeeps: (messages) => mustKeepsOf(readingsOf(messages)),
  saidBesides: () => 0,
  kept: (messages) => mustKeepsOf(readingsOf(messages.filter(isHandoffMessage))),
  withoutCounts: (text) =>
    text.replace(/ \(\d+ alike\)|\n\[pith shaped: [^\n]*\]|\d+ of \d+ lines shown/g, ""),
  tellsWhole: true,
  summary: (text) => `» ${text.replaceAll("\n", "\n ")}`,
  saysSummary: /» summary, in its own words/,
  earlier: "» ",
  noRoom: 160,
  gone: (_name, how) => `- instructions no longer in view, load again before relying on them: ${how}\\n`,
};

export const isEngine = Boolean(process.env.PITH_ENGINE);

/** Those of the planner that runs. */
export const signs: PlannerSigns = isEngine ? engine : stages;

/** Those of the planner that runs under a preset. */
export function signsOf(preset: PresetExpression): PlannerSigns {
  return isEngine && plansByEngine(createCompactor({ target: "50%", preset }).policy) ? engine : stages;
}

/** Every hand-off in a suite is one that the engine has written. */
function readingsOf(messages: readonly Message[]): ReturnType<typeof readConversation> {
  return readConversation(messages, new Set(handoffTexts(messages)));
}

/** What a picture is told by. */
const MEDIA = /^\[(?:image|audio|document)\b[^\]]*\]$/;

/** Who says a line that the engine has read back. */
const READ_AS: Readonly<Record<Kind, Voice>> = {
  rule: "person",
  ask: "person",
  said: "agent",
  told: "model",
  call: "done",
  deed: "done",
  note: "program",
  state: "state",
};

/** The engine reads back what a strict reader sees. */
function readOtherwise(handoff: string, lines: StrictReading["lines"]): readonly string[] {
  const items = readHandoff(findHandoff(handoff)?.body ?? "");
  const own = items.flatMap(({ kind, head, sections }) =>
    [...(kind === "call" ? [head] : []), ...sections.map(({ text }) => text)]
      .flatMap((text) => text.split("\n"))
      .map((line) => `${READ_AS[kind]}: ${line}`),
  );
  const seen = lines.map(({ voice, line }) => `${voice}: ${line}`);
  const at = seen.findIndex((line, i) => line !== own[i]);
  if (at < 0 && own.length === seen.length) return [];
  return [`read back as ${own[at] ?? own.length}, and not as ${seen[at] ?? seen.length}`];
}

/** Tokens of the thinking that nobody may edit. */
export function signedTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => {
    const parts = message.parts.filter((part) => !(part.type === "reasoning" && part.signed));
    return sum + counter.message(message) - counter.message({ ...message, parts });
  }, 0);
}
