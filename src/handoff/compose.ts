/** Composes the hand-off: the story as far as there is room for it, the rules of the user, the state as it is now. */

import { END_MARKER, withPrefix } from "../conversation/handoffs/prefixes.ts";
import { type Message, proseOf } from "../conversation/message.ts";
import { roomOf, STANDS_HERE } from "../engine/story-room.ts";
import type { StoryRoom, Written } from "../engine/written.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { HandoffStyle, Policy } from "../policy/policy.ts";
import { saysWords } from "../reading/read-turns.ts";
import { typedIn } from "../reading/typed-words.ts";
import { usedLater } from "../reading/used-later.ts";
import { askOf, askSentences, userWordsOf } from "../reading/user-words.ts";
import { markerAnnotation } from "../sources/synthorg/epistemic-markers.ts";
import { specificsOf } from "../text/specifics.ts";
import { countPieces, joined, type TextPiece, type TokenCounter } from "../tokens/token-counter.ts";
import type { Lessons } from "../weights/lessons.ts";
import { weighersOf } from "../weights/origin.ts";
import type { Asks } from "./asks.ts";
import { chooseStory, withUnspoken } from "./details.ts";
import { uncertaintyOf } from "./doubts.ts";
import { droppedInstructions, newestWithin } from "./dropped-instructions.ts";
import { editionOf } from "./editions.ts";
import { askTurn, withAskInParts, withMust } from "./latest-ask.ts";
import { withoutRepeats } from "./rules.ts";
import { emptySections, type Sections, writeSections } from "./sections.ts";
import { SHARES, slackOf } from "./shares.ts";
import { stateWithin } from "./state.ts";
import { type Story, type Unit, unitsIn } from "./story.ts";
import { writtenLines } from "./story-room.ts";
import { withEdits } from "./tell-changes.ts";
import { withLasting } from "./tell-lasting.ts";
import { tellStory } from "./tell-story.ts";
import { textSummary, toldSummary } from "./text-summary.ts";
import { turnsOfSides } from "./turn-marks.ts";
import { isWhole, toldInParts, writeStory } from "./write-story.ts";
import { withWritten } from "./written-story.ts";

export interface HandoffRequest {
  /** What the hand-off replaces, in order. */
  readonly span: readonly Message[];
  /** The messages that stay, as they were. */
  readonly stay: readonly Message[];
  /** What the user asked for first and last; empty where that message stays in the conversation. */
  readonly asks: Asks;
  /** Every binding sentence of the user in the span. */
  readonly constraints: readonly string[];
  /** What a model wrote, audited: line by line, or in the text form sentence by sentence. It is before the story. */
  readonly story?: Written;
  /** The id of all that the hand-off stands for, where it is archived. */
  readonly archived?: string;
  /** The newest ask is answered: the conversation ends with the assistant's own words. */
  readonly answered: boolean;
  /** An ask of more tokens than this is cut to its asking and binding sentences. */
  readonly maxAskTokens: number;
  /** What this conversation's recalls taught. */
  readonly lessons?: Lessons;
  readonly policy: Policy;
  readonly counter: TokenCounter;
}

/** The least that a hand-off of this span says: the frame, the latest ask cut to its asking sentences, the rules. */
export function smallestHandoff(request: HandoffRequest): string {
  return frame(smallestSections(request), request);
}

export function smallestSections({ asks, answered, constraints, archived }: HandoffRequest): Sections {
  const ask = cutAsk(asks);
  const story = ask === "" ? [] : [askTurn(ask, answered ? "answered" : "open", 1)];
  return withoutRepeats(
    {
      ...emptySections,
      story: writeStory(story),
      constraints,
      archive: archived === undefined ? [] : [archiveLine(archived)],
    },
    story,
    () => true,
  );
}

/** Every attempt asks for it, and to cut an ask its sentences are read several times. */
const cutBy = new WeakMap<Asks, string>();

function cutAsk(asks: Asks): string {
  let cut = cutBy.get(asks);
  if (cut === undefined) {
    // What is left of an ask binds by the rules that went with it.
    cut = isWhole(asks.latest) ? askOf(asks.latest) : toldInParts(askSentences(asks.latest));
    cutBy.set(asks, cut);
  }
  return cut;
}

export interface ComposeOptions {
  /** At least what `smallestHandoff` takes. */
  readonly maxTokens: number;
  /** Text that stays beside the hand-off. */
  readonly beside: string;
  /** What is known of the span, as it is now. */
  readonly ledger: Ledger;
}

export interface Handoff {
  readonly text: string;
  /** The ledger's must-keeps that it tells. */
  readonly told: readonly string[];
}

/** The fullest hand-off within `maxTokens`. */
export function composeHandoff(request: HandoffRequest, options: ComposeOptions): Handoff {
  return (
    (tellsAskInParts(request, options) && composeStory(request, options, true)) || compose(request, options)
  );
}

/** A latest ask that is too long to be told whole is told in parts where what must stay of it leaves room for more. */
function tellsAskInParts(request: HandoffRequest, { maxTokens }: ComposeOptions): boolean {
  const { asks, constraints, maxAskTokens, story, policy, counter } = request;
  if (policy.handoff.archiveOnly || policy.handoff.form === "text" || story) return false;
  if (counter.text(typedIn(asks.latest)) <= maxAskTokens) return false;
  const must = counter.text(cutAsk(asks)) + counter.text(constraints.join("\n"));
  return must <= maxTokens * SHARES.peoplesWords;
}

function compose(request: HandoffRequest, options: ComposeOptions): Handoff {
  const { policy, counter } = request;
  const { maxTokens, ledger } = options;
  const bound = boundSections(request, options);
  if (policy.handoff.archiveOnly) return { text: frame(bound, request), told: [] };
  if (policy.handoff.form === "text") {
    const room = maxTokens - counter.text(frame(bound, request));
    const { sections, told } = stateWithin(ledger, room, counter);
    const text = composeText({ ...bound, ...sections }, request, request.story?.lines ?? [], maxTokens);
    return counter.text(text) <= maxTokens ? { text, told } : { text: frame(bound, request), told: [] };
  }
  return composeStory(request, options) ?? { text: frame(bound, request), told: [] };
}

/** Undefined where what must be told does not leave room for a story. */
function composeStory(
  request: HandoffRequest,
  options: ComposeOptions,
  inParts = false,
): Handoff | undefined {
  const { counter } = request;
  const { maxTokens, ledger } = options;
  const bound = boundSections(request, options, inParts);
  const room = maxTokens - counter.text(frame(bound, request));
  const { sections, told } = stateIn(room, ledger, counter);
  const text = withStory(request, { ...bound, ...sections }, options, inParts);
  return text === undefined ? undefined : { text, told };
}

/** The place that a model's text would have in it; undefined where that is too small to tell anything. */
export function storyRoom(asked: HandoffRequest, options: ComposeOptions): StoryRoom | undefined {
  const request = { ...asked, story: { lines: [STANDS_HERE], until: Number.POSITIVE_INFINITY } };
  const { policy, counter } = request;
  const { maxTokens, ledger } = options;
  const bound = boundSections(request, options);
  if (policy.handoff.form === "text") {
    const beside = frame(bound, request, toldSummary(request.span.length, [STANDS_HERE]));
    const room = roomOf(request, maxTokens - counter.text(beside), writtenLines(request.span));
    return room && { ...room, beside };
  }
  const own = counter.text(frame(bound, request));
  const { sections } = stateIn(maxTokens - own, ledger, counter);
  const base = { ...bound, ...sections };
  const room = roomOf(request, maxTokens - counter.text(frame(base, request)), writtenLines(request.span));
  const kept = { ...options, maxTokens: maxTokens - (room?.tokens ?? 0) };
  const beside = room && withStory(request, base, kept);
  return beside === undefined ? undefined : { ...room!, beside };
}

function stateIn(room: number, ledger: Ledger, counter: TokenCounter) {
  const [most, others] = [SHARES.openState, SHARES.state].map((share) => Math.floor(room * share));
  return stateWithin(ledger, most!, counter, others!);
}

/** Rules, and of the doubts and the dropped instructions what there is room for. An ask in parts binds by the rules alone. */
function boundSections(
  request: HandoffRequest,
  { maxTokens, beside }: ComposeOptions,
  inParts = false,
): Sections {
  const { span, constraints, policy, counter } = request;
  const fits = (sections: Sections) => counter.text(frame(sections, request)) <= maxTokens;
  const smallest = inParts ? { ...smallestSections(request), constraints } : smallestSections(request);
  const room = maxTokens - counter.text(frame(smallest, request));
  const doubts = policy.markers.annotate ? uncertaintyOf(span) : [];
  const share = policy.handoff.archiveOnly ? 1 : SHARES.doubts;
  const areShort = counter.text(doubts.join("\n")) <= room * share;
  const annotated = { ...smallest, uncertainty: areShort ? doubts : [] };
  const dropped = droppedInstructions(span, beside);
  const marked = { ...annotated, instructions: newestWithin(dropped, room * SHARES.instructions, counter) };
  return [marked, annotated].find(fits) ?? smallest;
}

/** Estimates are corrected by what the text really takes. */
const MOST_PASSES = 10;
/** What took less of its room is told in large pieces, of which the next may be too large. */
const LEAST_TAKEN = 0.75;
/** Once a text fits, so many passes are enough to fill it up. */
const ENOUGH_PASSES = 4;

/** The sections with as much of the story as fits; undefined where that would not even hold the latest ask. */
function withStory(
  request: HandoffRequest,
  base: Sections,
  { maxTokens }: ComposeOptions,
  inParts = false,
): string | undefined {
  const own = maxTokens - request.counter.text(frame({ ...base, story: "" }, request));
  const filledFor = (room: number) =>
    filled(storyOf(request, room, inParts), { request, base, maxTokens, own });
  // What a model wrote stays whatever the room: where that was estimated too low, some of it goes rather than all.
  return filledFor(own) ?? (request.story && filledFor(own * LESS));
}

const LESS = 0.95;

interface Filling {
  readonly request: HandoffRequest;
  readonly base: Sections;
  readonly maxTokens: number;
  /** What the story has of that. */
  readonly own: number;
}

function filled(story: Story, { request, base, maxTokens, own }: Filling): string | undefined {
  const { counter } = request;
  let best: { readonly pieces: readonly TextPiece[]; readonly tokens: number } | undefined;
  let room = own;
  let tooMuch = Number.POSITIVE_INFINITY;
  let misses = 0;
  for (let pass = 0; pass < MOST_PASSES && room > 0; pass++) {
    const { story: told, kept, pieces: written } = chooseStory(story, { maxTokens: own, room, counter });
    const isKept = (unit: Unit) => kept.has(unit);
    const pieces = framed(withoutRepeats(base, told, isKept), written, request);
    const tokens = countPieces(counter, pieces);
    const left = maxTokens - tokens;
    if (left >= 0 && tokens > (best?.tokens ?? -1)) best = { pieces, tokens };
    if (left >= 0 && left <= slackOf(maxTokens)) break;
    // What was estimated too high or too low is corrected by what the text took.
    if (left < 0) {
      tooMuch = room;
      // A text may stay the same in a little less room: each miss asks for twice as much.
      room += left * 2 ** misses++ - 2;
    } else {
      if (pass >= ENOUGH_PASSES) break;
      // Details take less than the room that they are given: it is scaled by what the story took of its own.
      const taken = (own - left) / room;
      const more = room + Math.floor((left * 0.9) / (taken >= LEAST_TAKEN && taken < 1 ? taken : 1));
      room = more < tooMuch ? more : Math.floor((room + tooMuch) / 2);
    }
  }
  if (best === undefined) return undefined;
  const text = joined(best.pieces);
  countPieces(counter, best.pieces, text);
  return text;
}

/** The hand-off in pieces, with those of its story among them: what is tried in several rooms is put together once. */
function framed(
  sections: Sections,
  story: readonly TextPiece[],
  request: HandoffRequest,
): readonly TextPiece[] {
  const last = story.at(-1)?.text.trimEnd();
  if (!last) return [{ text: frame({ ...sections, story: joined(story).slice(0, -1) }, request) }];
  const [before, after] = frame({ ...sections, story: STORY_PLACE }, request).split(STORY_PLACE, 2);
  const rest = after!.slice(1);
  const told = rest === END_MARKER ? story.with(-1, { text: `${last}\n` }) : story;
  return [{ text: before! }, ...told, { text: rest }];
}

/** Nothing that is quoted holds a control character. */
const STORY_PLACE = "\0";

/** The story of the span, the latest ask in it whole or cut, whatever else finds room. */
function storyOf(request: HandoffRequest, room: number, inParts: boolean): Story {
  const { stay, story, answered, asks, maxAskTokens, counter, lessons } = request;
  const { all, turns } = turnsOfSides(request);
  const told = tellStory(turns, {
    used: usedLater(all),
    goesOn: goesOnIn(all, new Set(stay)),
    below: new Set(stay.map((message) => editionOf(proseOf(message).trim()))),
    lastSaid: all.findLastIndex((message) => message.role === "assistant" && saysWords(message)),
    answered,
    ...(lessons && { weigh: weigherOf(lessons, all) }),
    ...(story && { writtenUntil: placeOf(story.until, all) }),
  });
  const ask = typedIn(asks.latest);
  const askedWhole = () => {
    const fits = counter.text(ask) <= maxAskTokens;
    return ask === "" ? told : withMust(told, { ask, told: fits ? ask : cutAsk(asks), answered });
  };
  const asked = (inParts && withAskInParts(told, ask)) || askedWhole();
  const free = room - mustTokens(asked, counter);
  const share = story ? SHARES.lastingWithStory : SHARES.lasting;
  const lasting = withLasting(asked, shareOf(free, share, SHARES.leastLasting), counter);
  const unspoken = answered ? 0 : shareOf(free, SHARES.unspoken, SHARES.leastUnspoken);
  const edits = answered ? 0 : shareOf(free, SHARES.edits, SHARES.leastEdits);
  const whole = withEdits(withUnspoken(lasting, unspoken, counter), edits, counter);
  return story ? withWritten(whole, { story, room, counter }) : whole;
}

/** A share of a room; in a small one at least so many tokens, but no more than a quarter. */
function shareOf(room: number, share: number, least: number): number {
  return Math.max(room * share, Math.min(least, room / 4));
}

function mustTokens(story: Story, counter: TokenCounter): number {
  return unitsIn(story, ({ must }) => must).reduce((sum, { text }) => sum + counter.text(text), 0);
}

/** Where the first message is that is not before a position. */
function placeOf(position: number, messages: readonly Message[]): number {
  const at = messages.findIndex((message) => message.position >= position);
  return at < 0 ? messages.length : at;
}

/** By the specific that counts most. */
function weigherOf(lessons: Lessons, messages: readonly Message[]): (text: string, at: number) => number {
  const weighers = weighersOf(lessons, messages);
  return (text, at) => Math.max(...[...specificsOf(text)].map(weighers(at)), 0) || 1;
}

/** The last turn is told only in part: work of it stays below. */
function goesOnIn(messages: readonly Message[], stays: ReadonlySet<Message>): boolean {
  const last = messages.at(-1);
  // Results that are written as text come in the user's name, and nobody says them.
  return last !== undefined && stays.has(last) && userWordsOf(last) === "";
}

/** The text form with as many sentences of the story as fit; with none of them, the text summary (F58). */
function composeText(
  sections: Sections,
  request: HandoffRequest,
  story: readonly string[],
  maxTokens: number,
): string {
  for (let count = story.length; count > 0; count--) {
    const text = frame(sections, request, toldSummary(request.span.length, story.slice(0, count)));
    if (request.counter.text(text) <= maxTokens) return text;
  }
  return frame(sections, request);
}

function archiveLine(id: string): string {
  return `All of it in full: ${id} (recall_search finds, recall_expand opens; add #7 for turn 7)`;
}

function frame(
  sections: Sections,
  { span, policy, story }: HandoffRequest,
  summary = policy.handoff.form === "text" ? textOf(span, policy) : "",
): string {
  const style: HandoffStyle = policy.handoff;
  const written = writeSections(sections, { hasSummary: story !== undefined });
  // A long text is not put together once more only to be trimmed.
  const body = (summary === "" ? written : `${summary}\n${written}`).trim();
  return `${withPrefix(body, style.prefix)}\n${END_MARKER}`;
}

function textOf(span: readonly Message[], { handoff, density }: Policy): string {
  return handoff.archiveOnly ? markerAnnotation(span.length, []) : textSummary(span, density);
}
