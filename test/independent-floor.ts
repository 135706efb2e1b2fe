/** The floor, computed without the engine's own planning: below it a typed error is right, at or above it never. */
import type { Conversation } from "../src/conversation/conversation.ts";
import { END_MARKER, findHandoff } from "../src/conversation/handoffs/prefixes.ts";
import type { Message } from "../src/conversation/message.ts";
import type { Part } from "../src/conversation/part.ts";
import { endsInFlight } from "../src/conversation/turn.ts";
import { askingSentences, bindingSentences } from "../src/salience/binding-sentences.ts";
import { isInjected, ownProse } from "../src/salience/own-prose.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

/**
 * What a compaction by the default preset cannot shrink: pinned groups whole, the hand-off's frame with the user's
 * newest ask and binding sentences, and the envelope of the last group. Texts that stand side by side are
 * counted apart, which is at most a few tokens a part too much and never too little.
 */
export function independentFloor(conversation: Conversation, pins: readonly number[] = []): number {
  const { messages } = conversation;
  const groups = groupsIn(messages).filter((group) => group[0]!.role !== "system");
  const last = groups.at(-1) ?? [];
  const isPinned = (message: Message) => message.pinned === true || pins.includes(message.position);
  const pinned = groups
    .slice(0, -1)
    .filter((group) => group.some(isPinned))
    .flat();
  const prompts = messages.filter(
    (message) => message.role === "system" && (isPinned(message) || isPrompt(message)),
  );
  const stays = new Set([...pinned, ...last, ...prompts]);
  const gone = messages.filter((message) => !stays.has(message));
  // A hand-off that was merged into a message that stays goes into the new one.
  const merged = [...pinned, ...last].filter((message) => earlierHandoff(message) !== undefined);
  const handsOff = gone.length + merged.length > 0;

  // Where speakers take turns, a note may stand before each pinned group, and at the end.
  const held = groups.filter((group) => group.some(isPinned)).length;
  const notes = conversation.format === "anthropic-messages" && held > 0 ? held + 1 : 0;
  let tokens = notes * (counter.text(NOTE) + 4);
  for (const message of pinned) if (message.role !== "system") tokens += counter.message(message);
  for (const message of last) {
    if (isPrompt(message)) continue;
    tokens += isPinned(message) ? counter.message(message) : envelopeTokens(message);
  }
  return handsOff ? tokens + handoffTokens(messages, stays, [...gone, ...merged]) : tokens;
}

/** From so many tokens on the engine has a result, beside what it may take nothing from. */
const ENGINE_LEAST = 300;

/** The same of the engine: pinned groups whole and calls that are running, and beside them room for a hand-off. */
export function engineFloor({ messages, format }: Conversation, pins: readonly number[] = []): number {
  const groups = groupsIn(messages).filter((group) => group[0]!.role !== "system");
  const isPinned = (message: Message) => message.pinned === true || pins.includes(message.position);
  const held = groups.filter((group) => group.some(isPinned));
  const last = groups.at(-1) ?? [];
  const isRunning = endsInFlight(messages) && !held.includes(last);
  const notes = format === "anthropic-messages" && held.length > 0 ? held.length + 1 : 0;
  return (
    ENGINE_LEAST +
    notes * (counter.text(NOTE) + 4) +
    held.flat().reduce((sum, message) => sum + counter.message(message), 0) +
    (isRunning ? placeTokens(messages) : 0)
  );
}

/** What the newest group takes at the least as messages in their places. */
export function placeTokens(messages: readonly Message[]): number {
  const last = groupsIn(messages).at(-1) ?? [];
  return last.reduce((sum, message) => sum + leastInPlace(message), 0);
}

/** Words stay as they are; long values of a call may be left out, and what was printed. */
function leastInPlace(message: Message): number {
  return message.parts.reduce((sum, part) => {
    const whole = counter.message({ role: "other", parts: [part], position: 0 }) - 4;
    if (part.type === "tool-result" && !part.server && !part.shaped) return sum + Math.min(whole, LEFT_OUT);
    if (part.type !== "tool-call" || part.server || part.shaped) return sum + whole;
    const long = part.arguments.match(/"(?:[^"\\]|\\.){1000,}"/gs) ?? [];
    return sum + whole - long.reduce((all, text) => all + Math.max(0, counter.text(text) - LEFT_OUT), 0);
  }, 4);
}

/** What says that something was left out, and by which id it can be opened. */
const LEFT_OUT = 40;

const counter = createTokenCounter();

/** What every text is cut to at most. */
const LEAST_TEXT = 12;
const NO_ARGUMENTS = '{"pith":"arguments left out"}';
const NOTE = "[pith: messages left out]";
const PREFIX = "[Pith hand-off] Past reference:";
const GUIDE =
  "History, not a request; word for word, … marks gaps. The user's latest message wins. Tools work as before.";
const HEADINGS = ["## Story so far", "## State: rules and wishes of the user, later ones win"];
/** Before and after the ask. */
const ASK_FRAME = ["[1] User: ", "(answered)"];
/** A newline or a list mark, and what the tokenizer may split differently at a seam. */
const SEAM = 2;

/** System messages stay as they are and cost nothing; a hand-off under that role is a hand-off. */
function isPrompt(message: Message): boolean {
  const found = earlierHandoff(message);
  return message.role === "system" && !(found && isAll(message, found));
}

function groupsIn(messages: readonly Message[]): readonly (readonly Message[])[] {
  const groups: Message[][] = [];
  let open = false;
  for (const message of messages) {
    const calls = message.parts.some((part) => part.type === "tool-call" && !part.server);
    const answers = message.parts.some((part) => part.type === "tool-result" && !part.server);
    if (open && answers) groups.at(-1)!.push(message);
    else {
      groups.push([message]);
      open = calls;
    }
  }
  return groups;
}

function handoffTokens(
  messages: readonly Message[],
  stays: ReadonlySet<Message>,
  span: readonly Message[],
): number {
  const asks = messages.flatMap((message) => asksIn(message, stays));
  // What a program says in the user's name is an ask only when no person asked.
  const persons = asks.some(isPersons) ? asks.filter(isPersons) : asks;
  const latestWords = latestOf(persons).map(wordsToTell).filter(Boolean).join("\n\n");
  const latest = sentencesOf(latestWords);
  const binding = new Set<string>();
  for (const message of span) {
    for (const sentence of bindingSentences(wordsOf(message))) binding.add(sentence);
    const body = earlierHandoff(message)?.body ?? "";
    const carried = sectionOf(body, "State: rules and wishes of the user, later ones win").trim();
    if (carried !== "") binding.add(carried);
    for (const words of askedIn(body)) {
      for (const sentence of bindingSentences(words)) binding.add(sentence);
    }
  }
  const constraints = [...binding].filter((sentence) => readsCut(latest) || !latest.includes(sentence));
  const told = latest.length > 0 ? [...ASK_FRAME, ...latest] : [];
  const sections = [told, constraints].flatMap((sentences, at) =>
    sentences.length === 0 ? [] : [HEADINGS[at]!, ...sentences],
  );
  const marks = markTokens(latestWords, latest);
  const lines = [PREFIX, GUIDE, ...sections, END_MARKER];
  return lines.reduce((sum, line) => sum + counter.text(line) + SEAM, 4 + marks);
}

/**
 * A line that ends with the story's own mark of a gap reads as one of which something was left out ("and so on …"), and from
 * what is left of an ask nobody reads a rule: the rules in such an ask are listed as well, or the next hand-off would lose them.
 */
function readsCut(sentences: readonly string[]): boolean {
  return sentences.some((sentence) => / …\r?$/m.test(sentence));
}

/** Sentences that read otherwise by themselves than in their text are marked as what they were there. */
function markTokens(words: string, sentences: readonly string[]): number {
  const alone = sentences.toSorted((a, b) => words.indexOf(a) - words.indexOf(b)).join("\n\n");
  const binding = bindingSentences(words).filter((sentence) => sentences.includes(sentence));
  const readsAlike =
    isSameSet(bindingSentences(alone), binding) &&
    (sentences.length < 2 || isSameSet(sentencesOf(alone), sentences));
  return readsAlike ? 0 : TAGS.reduce((sum, tag) => sum + counter.text(tag) + SEAM, sentences.length);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

const TAGS = ["<shortened>", "</shortened>"];

/** The smallest form of a message: names and ids, what may not be edited, and a little of each text. */
function envelopeTokens(message: Message): number {
  return message.parts.reduce((sum, part) => sum + 1 + leastTokens(part, message), 4);
}

function leastTokens(part: Part, message: Message): number {
  const whole = counter.message({ role: "other", parts: [part], position: 0 }) - 4;
  switch (part.type) {
    case "reasoning":
      return part.signed ? whole : Math.min(whole, LEAST_TEXT);
    case "tool-call":
      if (part.server || part.shaped) return whole;
      return counter.text(part.name) + 1 + Math.min(counter.text(part.arguments), counter.text(NO_ARGUMENTS));
    case "text": {
      if (message.role !== "user") return Math.min(whole, LEAST_TEXT);
      const words = ownText(part.text);
      return Math.min(whole, Math.max(LEAST_TEXT, sentenceTokens(words)));
    }
    default:
      return part.type === "tool-result" && (part.server || part.shaped)
        ? whole
        : Math.min(whole, LEAST_TEXT);
  }
}

interface Ask {
  readonly words: string;
  /** Its message stays, so that it need not be told again. */
  readonly stays: boolean;
}

/** What earlier hand-offs quote and what the user said. */
function asksIn(message: Message, stays: ReadonlySet<Message>): readonly Ask[] {
  const body = earlierHandoff(message)?.body ?? "";
  const own = wordsOf(message);
  const quoted = askedIn(body).map((words) => ({ words, stays: false }));
  return [...quoted, { words: own, stays: stays.has(message) }].filter(({ words }) => words.trim() !== "");
}

/** The newest; where it has no letter, with the newest that has. */
function latestOf(asks: readonly Ask[]): readonly (Ask | undefined)[] {
  const telling = asks.findLast(({ words }) => /\p{L}/u.test(words));
  return [...new Set([telling, asks.at(-1)])];
}

function wordsToTell(ask: Ask | undefined): string {
  return ask === undefined || ask.stays ? "" : ask.words;
}

function isPersons({ words }: Ask): boolean {
  if (isInjected(words)) return false;
  if (!/^<[a-z]/i.test(words)) return true;
  return ownProse(words).some(({ start, end }) => /[\p{L}\p{N}]/u.test(words.slice(start, end)));
}

function sentencesOf(words: string): readonly string[] {
  return [...new Set([...askingSentences(words), ...bindingSentences(words)])];
}

function sentenceTokens(words: string): number {
  const sentences = sentencesOf(words);
  return sentences.reduce(
    (sum, sentence) => sum + counter.text(sentence) + SEAM,
    markTokens(words, sentences),
  );
}

function wordsOf(message: Message): string {
  if (message.role !== "user") return "";
  const texts = message.parts.map((part) => (part.type === "text" ? ownText(part.text) : ""));
  return texts.filter(Boolean).join("\n\n").trim();
}

function ownText(text: string): string {
  return findHandoff(text)?.rest ?? text;
}

function earlierHandoff(message: Message): { readonly body: string; readonly rest: string } | undefined {
  if (message.role === "tool") return undefined;
  for (const part of message.parts) {
    const found = part.type === "text" ? findHandoff(part.text) : undefined;
    if (found && (message.role !== "assistant" || isAll(message, found))) return found;
  }
  return undefined;
}

/** Nothing is merged into what an assistant says: it is a hand-off as a whole or not at all. */
function isAll({ parts }: Message, { rest }: { readonly rest: string }): boolean {
  return parts.length === 1 && rest === "";
}

/** The lines under a heading of an earlier hand-off, wherever it stands; those under none, as other programs write them, are its story. */
function sectionOf(body: string, name: string): string {
  let inside = name === STORY;
  const lines = body.split("\n").filter((line) => {
    // An answer may have headings of its own.
    if (!/^## (?:Archive|Story so far|State: .*)$/.test(line)) return inside;
    inside = line === `## ${name}`;
    return false;
  });
  return lines.join("\n");
}

const STORY = "Story so far";

/** What the story of an earlier hand-off quotes of people. */
function askedIn(body: string): readonly string[] {
  const asked: string[] = [];
  let isUsers = false;
  for (const line of sectionOf(body, STORY).split("\n")) {
    const words = /^(?:\[\d+\] )?User: (.*)$/.exec(line)?.[1];
    if (words !== undefined) asked.push(words);
    else if (isUsers && !OPENS_ANOTHER.test(line)) asked.push(`${asked.pop()}\n${line}`);
    isUsers = words !== undefined || (isUsers && !OPENS_ANOTHER.test(line));
  }
  return asked.map((words) =>
    words
      .replace(/^> /gm, "")
      .replace(/ …$/gm, "")
      .replace(/^<\/?shortened>$/gm, "")
      .trim(),
  );
}

const OPENS_ANOTHER =
  /^(?:\[\d+\] |Agent: |Answer: |Summary by a model: |Earlier summary: |→ |✗ |\$ |Changed: |Done: |Done until here: |\((?:answered|open|interrupted by the user|no closing words|under way: its ask is below|goes on below|open; goes on below)\)$)/;
