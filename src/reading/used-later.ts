/** Which values somebody took up again: said, quoted or passed to a call after they were printed. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";
import { IntList } from "../salience/int-list.ts";
import { shownIn, textResultIn } from "./agents/text-calls.ts";
import { listPassedWords } from "./passed-words.ts";
import { ASKED, FIRST, LAST, TAKEN, WordPlaces } from "./word-places.ts";

/**
 * Whether a value that was in the message at `at` was taken up after it. `anew`: and nobody had said it until then; `taken`: typed
 * by a person or passed to a call, not merely repeated; `asked`: a person typed it, at any time; `said`: anybody said it, at any time.
 */
export interface UsedLater {
  (value: string, at: number, how?: "anew" | "taken" | "asked" | "said"): boolean;
  readonly hearing?: Hearing;
}

/** What was made from the answers stays as it is until somebody says one of the words that were asked for. */
export interface Hearing {
  /** What `make` gives, and the words that it asked for; undefined where nothing can be said of them later. */
  readonly listen: <Made>(make: () => Made) => {
    readonly made: Made;
    readonly heard: HeardWords | undefined;
  };
  /** Whether what was made is asked for again: of a conversation that is too long for that, remembering it only takes memory. */
  readonly isRepeated: boolean;
  /** Whether nobody said one of them since, in the same conversation. */
  readonly isStill: (heard: HeardWords) => boolean;
}

export interface HeardWords {
  readonly places: WordPlaces;
  /** So many messages were read. */
  readonly messages: number;
  readonly words: readonly number[];
}

/** Shorter values are everywhere. */
const LEAST_CHARS = 3;
const MOST_CHARS = 200;

export function usedLater(messages: readonly Message[]): UsedLater {
  // Asked for only where an answer is told by its records or lines.
  let uses: Uses | undefined;
  const words = new IntList();
  let asked: IntList | undefined;
  let latest = "";
  const used = (value: string, at: number, how?: "anew" | "taken" | "asked" | "said") => {
    if (value.length < LEAST_CHARS || value.length > MOST_CHARS) return false;
    uses ??= usesIn(messages);
    words.clear();
    listPassedWords(value, words);
    if (words.length === 0) return false;
    // A value is asked for in several ways, one after the other.
    if (asked && value !== latest)
      for (let each = 0; each < words.length; each++) asked.push(words.items[each]!);
    latest = value;
    const after = how === "asked" || how === "said" ? -1 : at;
    const fact = how === "taken" ? TAKEN : how === "asked" ? ASKED : LAST;
    let known = 0;
    for (let each = 0; each < words.length; each++) {
      const word = words.items[each]!;
      const early = uses.came.find(word);
      const late = uses.changed.find(word);
      if (Math.max(uses.came.at(early, fact), uses.changed.at(late, fact)) <= after) return false;
      if ((early < 0 ? uses.changed.at(late, FIRST) : uses.came.at(early, FIRST)) <= at) known++;
    }
    return how !== "anew" || known < words.length;
  };
  const isRepeated = messages.length <= MOST_MESSAGES;
  const hearing: Hearing = {
    isRepeated,
    listen: (make) => {
      asked = heardWords;
      latest = "";
      asked.clear();
      const made = make();
      asked = undefined;
      uses ??= usesIn(messages);
      const heard =
        uses.isChanged || !isRepeated
          ? undefined
          : {
              places: uses.came,
              messages: messages.length,
              words: listOf(heardWords),
            };
      return { made, heard };
    },
    isStill: (heard) => {
      uses ??= usesIn(messages);
      return !uses.isChanged && heard.places === uses.came && uses.came.areOlder(heard.words, heard.messages);
    },
  };
  return Object.assign(used, { hearing });
}

/** More than any window holds: what is so long is compacted once. */
const MOST_MESSAGES = 10_000;
const NO_WORDS: readonly number[] = [];

/** Of a few words a plain list takes less memory than a typed array. */
function listOf({ items, length }: IntList): readonly number[] {
  if (length === 0) return NO_WORDS;
  const words = new Array<number>(length);
  for (let at = 0; at < length; at++) words[at] = items[at]!;
  return words;
}

/** One list for all who listen, one after the other. */
const heardWords = new IntList();

/** The words of the messages until the first that was changed, and of those from there on. */
interface Uses {
  readonly came: WordPlaces;
  readonly changed: WordPlaces;
  readonly isChanged: boolean;
}

function usesIn(messages: readonly Message[]): Uses {
  const first = messages.findIndex((message) => message.changed);
  const came = first < 0 ? messages.length : first;
  const changed = new WordPlaces();
  noteUses(changed, messages, came);
  const all = usesAmong(came === messages.length ? messages : messages.slice(0, came));
  return { came: all, changed, isChanged: came < messages.length };
}

interface Noted {
  readonly messages: readonly Message[];
  readonly places: WordPlaces;
}

/** By the first message: the next compaction reads the same messages and a few more. */
const notedBy = new WeakMap<Message, Noted>();

function usesAmong(messages: readonly Message[]): WordPlaces {
  const [first] = messages;
  if (!first) return new WordPlaces();
  const known = notedBy.get(first);
  const isMore = known?.messages.every((message, at) => saysTheSame(message, messages[at])) ?? false;
  const places = known && isMore ? known.places : new WordPlaces();
  noteUses(places, messages, known && isMore ? known.messages.length : 0);
  notedBy.set(first, { messages, places });
  return places;
}

function saysTheSame(one: Message, other: Message | undefined): boolean {
  return one === other || (one.role === other?.role && saidIn(one) === saidIn(other));
}

function noteUses(places: WordPlaces, messages: readonly Message[], from: number): void {
  for (let at = from; at < messages.length; at++) noteMessage(places, messages[at]!, at);
}

/** Not in the loop that is passed once: what is called often is compiled well, and for good. */
function noteMessage(places: WordPlaces, message: Message, at: number): void {
  if (message.role === "tool") return;
  const isAsk = message.role === "user";
  noteWords(places, wordsIn(message), at, isAsk, isAsk);
  for (let each = 0; each < message.parts.length; each++) {
    const part = message.parts[each]!;
    if (part.type === "tool-call") noteWords(places, part.arguments, at, true, false);
  }
}

function noteWords(places: WordPlaces, text: string, at: number, isTaken: boolean, isAsked: boolean): void {
  if (text === "") return;
  notedWords.clear();
  listPassedWords(text, notedWords);
  for (let each = 0; each < notedWords.length; each++)
    places.note(notedWords.items[each]!, at, isTaken, isAsked);
}

const notedWords = new IntList();

function saidIn(message: Message): string {
  return `${wordsIn(message)} ${passedIn(message)}`;
}

/** What it says; not what it shows or answers in text. */
function wordsIn(message: Message): string {
  if (message.role === "tool" || message.role === "system") return "";
  const prose = proseOf(message);
  return prose === "" || textResultIn(prose) ? "" : shownIn(prose).words;
}

function passedIn(message: Message): string {
  return toolCallsOf(message)
    .map((call) => call.arguments)
    .join(" ");
}
