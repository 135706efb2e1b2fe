/** A turn in which the model may call the gateway's own tools: they are run here, and the client sees one answer. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readWhole } from "../http/read-whole.ts";
import { readJsonSource } from "../json/source.ts";
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";
import { type AnswerApi, dataOf, type Round } from "./answers/answer-api.ts";
import { eventsOf } from "./events.ts";
import { maskWire } from "./mask-wire.ts";
import type { OwnCall, OwnResult } from "./offered-tools.ts";
import { writeAnswerHead } from "./pass-back.ts";
import type { ShedReason } from "./preparation.ts";
import type { RecipeEntry } from "./recipe.ts";

export interface ToolTurn {
  readonly api: AnswerApi;
  /** The names of the tools that the request offers. */
  readonly tools: readonly string[];
  /** The body that the first answer is to. */
  readonly text: string;
  readonly requestId: string;
  readonly shed?: ShedReason | undefined;
  readonly maxBytes: number;
  readonly send: (text: string) => Promise<IncomingMessage>;
  readonly run: (calls: readonly OwnCall[]) => Promise<readonly OwnResult[]>;
  /** Remembers what the client does not hear, before its answer ends: the next request may come at once. */
  readonly keep: (unheard: Unheard) => Promise<void>;
  /** Hears what the client gets. */
  readonly hear?: ((bytes: Buffer | string) => void) | undefined;
}

/** What was said besides what the client heard. */
export interface Unheard {
  /** The calls of own tools. */
  readonly calls: readonly OwnCall[];
  readonly echoes: readonly (readonly unknown[])[];
  readonly entries: readonly RecipeEntry[];
}

/** Calls one after the other, at most; then the model has to answer without. */
const MOST_ROUNDS = 8;

/** Settles when the client has its answer. */
export async function answerTurn(
  first: IncomingMessage,
  outgoing: ServerResponse,
  turn: ToolTurn,
): Promise<void> {
  const isStream = /^text\/event-stream/.test(first.headers["content-type"] ?? "");
  await (isStream ? answerStream : answerWhole)(first, outgoing, turn);
}

async function answerStream(first: IncomingMessage, outgoing: ServerResponse, turn: ToolTurn): Promise<void> {
  const joiner = turn.api.createJoiner(new Set(turn.tools));
  const { requestId, shed } = turn;
  writeAnswerHead(first, outgoing, { requestId, shed, isRewritten: true });
  outgoing.flushHeaders();
  const write = async (bytes: Buffer | string): Promise<void> => {
    if (bytes.length === 0) return;
    turn.hear?.(bytes);
    if (outgoing.write(bytes)) return;
    // A client that went away never drains; its end ends the wait.
    const gone = new AbortController();
    const stop = (): void => gone.abort();
    outgoing.once("close", stop);
    await once(outgoing, "drain", { signal: gone.signal });
    outgoing.off("close", stop);
  };
  const unheard = await takeRounds(turn, first, async (answer, round) => {
    if (round > 0) joiner.nextRound();
    for await (const bytes of eventsOf(answer)) {
      const raw = bytes.toString();
      const shown = joiner.take(raw, dataOf(raw));
      await write(shown === raw ? bytes : shown);
    }
    return joiner.endRound();
  });
  if (unheard) await turn.keep({ ...unheard, echoes: turn.api.echoes(joiner.heard()) });
  const end = joiner.finish();
  turn.hear?.(end);
  outgoing.end(end);
}

async function answerWhole(first: IncomingMessage, outgoing: ServerResponse, turn: ToolTurn): Promise<void> {
  const { api, tools, maxBytes, requestId, shed } = turn;
  const own = new Set(tools);
  const answers: WireObject[] = [];
  let last = { answer: first, bytes: Buffer.alloc(0) as Buffer };
  const unheard = await takeRounds(turn, first, async (answer) => {
    const bytes = await readWhole(answer, maxBytes);
    if (!bytes) throw new Error("The answer of the upstream is too long.");
    last = { answer, bytes };
    const value = parsedJson(bytes.toString());
    if (!isObject(value) || answer.statusCode !== 200) return { calls: [], hasOthers: false, elements: [] };
    answers.push(value);
    return api.readAnswer(value, own);
  });
  const joined = unheard && last.answer.statusCode === 200 ? api.joinAnswers(answers, own) : undefined;
  if (joined && unheard) await turn.keep({ ...unheard, echoes: api.echoes(joined) });
  const bytes = joined ? Buffer.from(JSON.stringify(joined)) : last.bytes;
  writeAnswerHead(last.answer, outgoing, { requestId, shed, isRewritten: true, length: bytes.length });
  turn.hear?.(bytes);
  outgoing.end(bytes);
}

/** Takes answers until one calls no own tool, or calls the client's as well. */
async function takeRounds(
  { api, text: sent, send, run }: ToolTurn,
  first: IncomingMessage,
  take: (answer: IncomingMessage, round: number) => Promise<Round>,
): Promise<Omit<Unheard, "echoes"> | undefined> {
  const entries: RecipeEntry[] = [];
  let text = sent;
  let answer = first;
  const calls: OwnCall[] = [];
  for (let count = 0; ; count++) {
    const round = await take(answer, count);
    const said = round.elements.map(wireText);
    if (round.calls.length === 0) {
      entries.push(...said);
      return calls.length === 0 ? undefined : { calls, entries };
    }
    calls.push(...round.calls);
    const results = api.results(await run(round.calls));
    if (round.hasOthers) {
      entries.push(...said, ...(api.mergedResults ? results.map(asResults) : results.map(wireText)));
      return { calls, entries };
    }
    const more = [...said, ...results.map(wireText)];
    entries.push(...more);
    text = withElements(text, more);
    answer = await send(count < MOST_ROUNDS ? text : withoutCalls(text));
  }
}

/** What is sent again is what will be stored, so that it stays the same. */
function wireText(element: WireObject): string {
  return maskWire(JSON.stringify(element));
}

function asResults({ content }: WireObject): RecipeEntry {
  const blocks = maskWire(JSON.stringify({ content }));
  return { results: JSON.stringify((JSON.parse(blocks) as { content: unknown }).content).slice(1, -1) };
}

function withElements(text: string, elements: readonly string[]): string {
  const end = readJsonSource(text).elements.at(-1)!.end;
  return `${text.slice(0, end)},${elements.join(",")}${text.slice(end)}`;
}

function withoutCalls(text: string): string {
  const body = JSON.parse(text) as WireObject;
  const isMessages = "messages" in body && objectTools(body);
  return JSON.stringify({ ...body, tool_choice: isMessages ? { type: "none" } : "none" });
}

/** Only the Messages API has the schema of a tool under this name. */
function objectTools({ tools }: WireObject): boolean {
  return Array.isArray(tools) && tools.some((tool) => isObject(tool) && "input_schema" in tool);
}
