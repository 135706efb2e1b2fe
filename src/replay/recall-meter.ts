/**
 * Recall meter: of the specifics that the agent used after a while, how many did it still have in view? Carry-forward recall as the
 * evaluation defines it, asked at every request of a replay instead of at one cut.
 */
import { type Message, textOfMessage } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { CountedRequest } from "./sent-request.ts";
import { bytesOf } from "./sent-request.ts";
import { keepsMeaning, specificsOf, writtenBy } from "./specifics.ts";

export interface RecallCount {
  /** Specifics that the agent used again after a gap, once for each answer. */
  readonly used: number;
  /** Those that were in the request it answered, beside two of the words that were beside them originally. */
  readonly held: number;
}

export interface RecallMeter {
  /** One request: what was said since the one before, what was sent, and what was answered. */
  readonly hear: (heard: Heard) => void;
  readonly count: () => RecallCount;
}

export interface Heard {
  readonly added: readonly Message[];
  readonly answer: Message;
  /** Undefined where the request was refused: then nothing was in view. */
  readonly sent: CountedRequest | undefined;
}

export interface RecallMeterOptions {
  readonly counter: TokenCounter;
  /** A use counts when nobody said the specific within this many tokens before it: what is recent everyone keeps. */
  readonly gapTokens: number;
}

/** Where a specific is in the recording. */
interface Trace {
  readonly messages: Message[];
  lastSaidAt: number;
}

export function createRecallMeter({ counter, gapTokens }: RecallMeterOptions): RecallMeter {
  const traces = new Map<string, Trace>();
  const originals = new Set<string>();
  let [system, position, used, held] = ["", 0, 0, 0];

  const listen = (message: Message): void => {
    position += counter.message(message);
    originals.add(bytesOf(message.raw?.value));
    if (message.role === "system") system += `\n${lowerText(message)}`;
    else
      for (const specific of specificsOf(textOfMessage(message))) {
        const trace = traces.get(specific) ?? { messages: [], lastSaidAt: 0 };
        trace.messages.push(message);
        trace.lastSaidAt = position;
        traces.set(specific, trace);
      }
  };
  return {
    hear: ({ added, answer, sent }) => {
      added.forEach(listen);
      const asked = [...specificsOf(writtenBy(answer))].filter((specific) => {
        const trace = traces.get(specific);
        return trace && position - trace.lastSaidAt > gapTokens && !system.includes(specific);
      });
      used += asked.length;
      if (!sent || asked.length === 0) return;
      const view = new Set(sent.pieces.map(({ bytes }) => bytes));
      const written = sent.messages.filter(({ raw }) => !originals.has(bytesOf(raw?.value))).map(lowerText);
      for (const specific of asked) {
        const { messages } = traces.get(specific)!;
        const isUntouched = messages.some(({ raw }) => view.has(bytesOf(raw?.value)));
        if (isUntouched || keepsMeaning(specific, messages.map(lowerText), written)) held++;
      }
    },
    count: () => ({ used, held }),
  };
}

const lowered = new WeakMap<Message, string>();

function lowerText(message: Message): string {
  const text = lowered.get(message) ?? textOfMessage(message).toLowerCase();
  lowered.set(message, text);
  return text;
}
