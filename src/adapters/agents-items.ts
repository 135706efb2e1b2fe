/** Agents items: the input items of the OpenAI Agents SDK as the engine reads them, and back. */
import { type Body, bodyView, systemApart, withSystem } from "./body-view.ts";
import type { View } from "./sessions.ts";

export interface AgentsModelData {
  readonly input: readonly unknown[];
  readonly instructions?: string;
}

export function readAgentsInput({ input, instructions }: AgentsModelData): readonly unknown[] {
  return withSystem(instructions, input);
}

export function writeAgentsInput<Data extends AgentsModelData>(
  data: Data,
  history: readonly unknown[],
): Data {
  const [instructions, ...input] = systemApart(history);
  return { ...data, input, ...(instructions !== undefined && { instructions }) };
}

const wire = bodyView({ format: "openai-responses", list: "input", system: "instructions" }, {});

/** Messages have the same shape in both; calls and results have other keys. */
export const agentsView: View<unknown> = {
  ...wire,
  body: (history) => wire.body(history.map(toWire)),
  messages: (result, given) => {
    const wires = given.map(toWire);
    return wire.messages(result, wires).map(({ message, from }) => {
      if (from >= 0) return { message: wires[from] === message ? given[from] : message, from };
      const origin = originOf(message as Body, given as readonly Body[]);
      return { message: fromWire(message as Body, given[origin] as Body | undefined), from: origin };
    });
  },
};

/** The same wire item for the same item: what comes out untouched is known by it. */
const wires = new WeakMap<object, unknown>();

function toWire(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const known = wires.get(item) ?? wireOf(item as Body);
  wires.set(item, known);
  return known;
}

function wireOf(item: Body): unknown {
  const { type, callId, output } = item;
  if (typeof callId !== "string") return item;
  const isResult = /_(?:result|output)$/.test(String(type));
  if (!isResult) return { ...item, call_id: callId };
  const kind = `${String(type).replace(/_(?:result|output)$/, "")}_output`;
  return { type: kind, call_id: callId, output: wireOutput(output) };
}

/** A text, a piece of text, or a list of pieces. */
function wireOutput(output: unknown): unknown {
  const pieces = Array.isArray(output) ? output : [output];
  const isText = (piece: unknown): piece is { text: string } =>
    typeof piece === "object" && piece !== null && typeof (piece as Body).text === "string";
  if (typeof output === "string") return output;
  if (pieces.length === 1 && isText(pieces[0])) return pieces[0].text;
  return pieces.map((piece) => (isText(piece) ? { type: "input_text", text: piece.text } : piece));
}

/** A changed call or result is known by its id. */
function originOf({ type, call_id: callId }: Body, given: readonly Body[]): number {
  if (typeof callId !== "string") return -1;
  const isResult = String(type).endsWith("_output");
  return given.findIndex(
    (item) => item.callId === callId && /_(?:result|output)$/.test(String(item.type)) === isResult,
  );
}

function fromWire(item: Body, origin: Body | undefined): unknown {
  if (origin === undefined) return item.role === "assistant" ? { status: "completed", ...item } : item;
  if (String(item.type).endsWith("_output"))
    return { ...origin, output: outputLike(origin.output, item.output) };
  const { call_id: _callId, ...call } = item;
  return call;
}

/** In the kind that it was. */
function outputLike(before: unknown, after: unknown): unknown {
  if (typeof after !== "string" || typeof before === "string") return after;
  if (Array.isArray(before)) return [{ type: "input_text", text: after }];
  return { ...(before as Body), text: after };
}
