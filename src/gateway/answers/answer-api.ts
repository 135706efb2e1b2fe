/** AnswerApi: the contract between one API's answers and the turns in which the gateway runs its own tools. */
import { isObject, parsedJson, type WireObject } from "../../json/wire-value.ts";
import type { OwnCall, OwnResult } from "../offered-tools.ts";

/** One answer of the model. */
export interface Round {
  /** Calls of the gateway's own tools. */
  readonly calls: readonly OwnCall[];
  /** There are calls that the client has to answer. */
  readonly hasOthers: boolean;
  /** The whole answer as elements of the list of messages. */
  readonly elements: readonly WireObject[];
}

export interface AnswerApi {
  /** The results of own calls, as elements of the list of messages. */
  readonly results: (results: readonly OwnResult[]) => readonly WireObject[];
  /** Results must be in the message that has the client's results: they go into the front of its content. */
  readonly mergedResults: boolean;
  readonly readAnswer: (answer: WireObject, own: ReadonlySet<string>) => Round;
  /** One answer out of several, without the own calls. */
  readonly joinAnswers: (answers: readonly WireObject[], own: ReadonlySet<string>) => WireObject;
  /** The ways in which a client may put an answer into its history. */
  readonly echoes: (answer: WireObject) => readonly (readonly WireObject[])[];
  readonly createJoiner: (own: ReadonlySet<string>) => StreamJoiner;
}

/** Joins the streams of several answers into one. */
export interface StreamJoiner {
  /** Takes an event and gives what the client gets for it: the very bytes where nothing has to change. */
  readonly take: (raw: string, data: WireObject | undefined) => string;
  /** The stream of one answer is over. */
  readonly endRound: () => Round;
  /** Another answer follows; what was held back of the last one is dropped. */
  readonly nextRound: () => void;
  /** What was held back until no more answers follow. */
  readonly finish: () => string;
  /** What the client has heard, as one answer. */
  readonly heard: () => WireObject;
}

/** Adds up numbers wherever they are; of everything else the later stays. */
export function sumUsage(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (!isObject(one) || !isObject(other)) return other ?? one;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, sumUsage(one[key], other[key])]));
}

export function eventText(data: WireObject): string {
  const name = typeof data.type === "string" ? `event: ${data.type}\n` : "";
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

/** The data of an event; undefined where it is none, or no object. */
export function dataOf(raw: string): WireObject | undefined {
  const lines = raw.split(/\r\n|\n|\r/).flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? []);
  const value = lines.length === 0 ? undefined : parsedJson(lines.join("\n"));
  return isObject(value) ? value : undefined;
}

export function objectsIn(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}
