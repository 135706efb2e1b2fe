/** Composes the hand-off: asks and constraints verbatim, the ledger's facts, then as much of the digest as there is room for. */
import type { Lessons } from "../adaptive/lessons.ts";
import { type Message, proseOf } from "../conversation/message.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { HandoffStyle, Policy } from "../policy/policy.ts";
import { bindingSentences } from "../salience/binding-sentences.ts";
import { markerAnnotation, markerPhrases } from "../salience/epistemic-markers.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Digest, digestOf, NO_DIGEST } from "./digest.ts";
import { droppedInstructions } from "./dropped-instructions.ts";
import { factsWithin, mustKeepsWithin } from "./facts.ts";
import { otherWordsWithin } from "./other-words.ts";
import { END_MARKER, withPrefix } from "./prefixes.ts";
import { emptySections, readSections, type Sections, writeSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";
import { textSummary, toldSummary } from "./text-summary.ts";
import { toldFiles } from "./told-files.ts";
import { type Asks, askOf, firstAskOf } from "./user-words.ts";

export interface HandoffRequest {
  /** What the hand-off replaces, in order. */
  readonly span: readonly Message[];
  /** Recent messages that stay in a cut form, as they were: the digest tells what their cut forms lost. */
  readonly cut?: readonly Message[];
  /** What the user asked for first and last; empty where that message stays in the conversation. */
  readonly asks: Asks;
  /** Every binding sentence of the user in the span. */
  readonly constraints: readonly string[];
  /** What a summary tells, audited: line by line, or in the text form sentence by sentence. It stands before the digest. */
  readonly story?: readonly string[];
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

/** The least that a hand-off of this span says: the frame, the asks cut to their asking sentences, the constraints. */
export function smallestHandoff(request: HandoffRequest): string {
  return frame(smallestSections(request), request);
}

export function smallestSections({ asks, answered, constraints, archived }: HandoffRequest): Sections {
  return withoutRepeats({
    ...emptySections,
    ...cutAsks(asks),
    answered,
    constraints,
    archive: archived === undefined ? [] : [archiveLine(archived)],
  });
}

type CutAsks = Pick<Sections, "firstAsk" | "latestAsk">;

/** Every attempt asks for them, and to cut an ask its sentences are read several times. */
const cutBy = new WeakMap<Asks, CutAsks>();

function cutAsks(asks: Asks): CutAsks {
  let cut = cutBy.get(asks);
  if (!cut) {
    cut = { firstAsk: firstAskOf(asks.first), latestAsk: askOf(asks.latest) };
    cutBy.set(asks, cut);
  }
  return cut;
}

export interface ComposeOptions {
  /** At least what `smallestHandoff` takes. */
  readonly maxTokens: number;
  /** Text that stays beside the hand-off: the digest does not repeat what that holds. */
  readonly beside: string;
  /** What is known of the span, as it stands now. */
  readonly ledger: Ledger;
}

export interface Handoff {
  readonly text: string;
  /** The ledger's must-keeps that it tells. */
  readonly told: readonly string[];
}

/** The fullest hand-off within `maxTokens`. */
export function composeHandoff(request: HandoffRequest, options: ComposeOptions): Handoff {
  const { policy, counter, story = [] } = request;
  const { maxTokens, ledger } = options;
  const verbatim = verbatimSections(request, options);
  const room = maxTokens - counter.text(frame(verbatim, request));
  if (policy.handoff.form === "text") {
    const { sections, told } = mustKeepsWithin(ledger, room, counter);
    return { text: composeText({ ...verbatim, ...sections }, request, story, maxTokens), told };
  }
  const { sections, told } = factsWithin(ledger, room, counter);
  const base = { ...verbatim, ...sections };
  const left = maxTokens - counter.text(frame(base, request));
  const fitting = fitLines(story, Math.floor(left * STORY_SHARE), counter);
  return { text: withDigest(request, base, fitting, options), told };
}

/** What the user said, as far as it binds and then as far as there is room for it. */
function verbatimSections(request: HandoffRequest, options: ComposeOptions): Sections {
  const { span, counter } = request;
  const bound = boundSections(request, options);
  const room = options.maxTokens - counter.text(frame(bound, request));
  const otherWords = otherWordsWithin(span, {
    maxTokens: Math.floor(
      Math.max(room * OTHER_WORDS_SHARE, Math.min(room * SMALL_ROOM_SHARE, OTHER_WORDS_TOKENS)),
    ),
    counter,
    said: [bound.firstAsk, bound.latestAsk, ...bound.constraints].join("\n"),
  });
  const all = { ...bound, otherWords };
  return counter.text(frame(all, request)) <= options.maxTokens ? all : bound;
}

/** How much of the room that the binding words leave the user's other words may take. */
const OTHER_WORDS_SHARE = 0.1;
/** In a small room a few sentences are more than that share, and may be. */
const OTHER_WORDS_TOKENS = 60;
const SMALL_ROOM_SHARE = 0.4;

/** Asks and constraints, and of the doubts and the dropped instructions what there is room for. */
function boundSections(request: HandoffRequest, { maxTokens, beside }: ComposeOptions): Sections {
  const { span, asks, maxAskTokens, policy, counter } = request;
  const fits = (sections: Sections) => counter.text(frame(sections, request)) <= maxTokens;
  const smallest = smallestSections(request);
  const whole = (ask: string, cut: string) => (counter.text(ask) <= maxAskTokens ? ask : cut);
  const verbatim = withoutRepeats({
    ...smallest,
    firstAsk: whole(asks.first, smallest.firstAsk),
    latestAsk: whole(asks.latest, smallest.latestAsk),
    constraints: request.constraints,
  });
  const room = maxTokens - counter.text(frame(verbatim, request));
  const doubts = policy.markers.annotate ? uncertaintyOf(span) : [];
  const areShort = counter.text(doubts.join("\n")) <= room * DOUBTS_SHARE;
  const annotated = { ...verbatim, uncertainty: areShort ? doubts : [] };
  const marked = { ...annotated, instructions: droppedInstructions(span, beside) };
  return [marked, annotated, verbatim].find(fits) ?? smallest;
}

/** The words of doubt that fell are told where they take no more of the room than this. */
const DOUBTS_SHARE = 0.1;

/** The sections with the story and, in what room is left, the digest. */
function withDigest(
  request: HandoffRequest,
  base: Sections,
  story: readonly string[],
  { maxTokens, beside, ledger }: ComposeOptions,
): string {
  const { span, cut = [], counter } = request;
  const files = toldFiles(base.files, ledger.files);
  // The last text that was measured is nearly always the one that is taken: it is put together once.
  let measured: { readonly digest: Digest; readonly text: string } | undefined;
  const textWith = (digest: Digest): string => {
    if (measured?.digest !== digest) {
      const sections = { ...base, progress: [...story, ...digest.lines], files: files.with(digest.names) };
      measured = { digest, text: frame(sections, request) };
    }
    return measured.text;
  };
  const used = counter.text(textWith(NO_DIGEST));
  const digest = digestOf({
    messages: [...span, ...cut],
    maxTokens: maxTokens - used,
    tokensOf: (digest) => counter.text(textWith(digest)) - used,
    counter,
    alreadySaid: [writeSections(base), ...story, beside].join("\n"),
    lessons: request.lessons,
    isTold: files.has,
  });
  return textWith(digest);
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

/** How much of the room that the facts leave a summary may take; the rest is the digest's, which holds what summaries lose. */
const STORY_SHARE = 0.6;

function archiveLine(id: string): string {
  return `All of it in full: ${id} (recall_search finds, recall_expand opens)`;
}

/** The first lines that fit. */
function fitLines(lines: readonly string[], maxTokens: number, counter: TokenCounter): readonly string[] {
  const fitting: string[] = [];
  let left = maxTokens;
  for (const line of lines) {
    left -= counter.text(line) + 1;
    if (left < 0) break;
    fitting.push(line);
  }
  return fitting;
}

function frame(
  sections: Sections,
  { span, policy }: HandoffRequest,
  summary = policy.handoff.form === "text" ? textSummary(span) : "",
): string {
  const style: HandoffStyle = policy.handoff;
  const written = writeSections(sections);
  // A long text is not put together once more only to be trimmed.
  const body = (summary === "" ? written : `${summary}\n${written}`).trim();
  return `${withPrefix(body, style.prefix)}\n${END_MARKER}`;
}

/** A constraint that will be read back from an ask is not said twice. */
function withoutRepeats(sections: Sections): Sections {
  const said = new Set([...bindingSentences(sections.firstAsk), ...bindingSentences(sections.latestAsk)]);
  return { ...sections, constraints: sections.constraints.filter((line) => !said.has(line)) };
}

const MAX_PHRASES = 12;

/** Doubts further back than this much of the assistant's prose have been settled or have come up again. */
const DOUBTED_CHARS = 65_536;

function uncertaintyOf(span: readonly Message[]): readonly string[] {
  const texts: string[] = [];
  let chars = 0;
  for (let at = span.length - 1; at >= 0 && chars < DOUBTED_CHARS; at--) {
    const text = doubtsOf(span[at]!);
    chars += text.length;
    if (text !== "") texts.unshift(text);
  }
  const phrases = new Set<string>();
  for (const text of texts) for (const phrase of markerPhrases(text)) phrases.add(phrase.toLowerCase());
  return phrases.size === 0 ? [] : [markerAnnotation(span.length, [...phrases].slice(0, MAX_PHRASES))];
}

/** What the assistant said, and of an earlier hand-off what it tells about doubts. */
function doubtsOf(message: Message): string {
  const found = handoffIn(message);
  if (found) return readSections(found.body).uncertainty.join("\n");
  return message.role === "assistant" ? proseOf(message) : "";
}
