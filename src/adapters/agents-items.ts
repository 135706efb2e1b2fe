/** Agents items: the input items of the OpenAI Agents SDK as the engine reads them, and back. */

import { separateHandoff } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import type { WireObject } from "../json/wire-value.ts";
import { writeMessage } from "../providers/openai-responses/write.ts";
import { bodyView, isSystemMessage } from "./body-view.ts";
import { sealIn } from "./seals.ts";
import type { Placed, View } from "./sessions.ts";

const wire = bodyView({ format: "openai-responses", list: "input", system: "instructions" }, {});

/** Messages have the same shape in both; calls and results have other keys. */
export const agentsView: View<unknown> = {
  ...wire,
  body: (history) => wire.body(history.map(toWire)),
  messages: (result, given) => {
    const wires = given.map(toWire);
    const rewritten = result.rewrite.flatMap(({ written }) =>
      written && isOfUser(written) ? [written] : [],
    );
    return wire.messages(result, wires).flatMap(({ message, from }) => {
      const isGiven = wires[from] === message || isSystemMessage(message);
      if (from >= 0 && isGiven) return [{ message: wires[from] === message ? given[from] : message, from }];
      if ((message as WireObject).role === "user")
        return userItems(message as WireObject, rewritten.shift(), given);
      const origin = originOf(message as WireObject, given as readonly WireObject[]);
      return [
        { message: fromWire(message as WireObject, given[origin] as WireObject | undefined), from: origin },
      ];
    });
  },
};

/** Each of them is written as one item with the role of the user, in order. */
function isOfUser({ role }: Message): boolean {
  return role === "user" || role === "other";
}

/** A hand-off that was merged into what the user said is before it: the user's item is the user's own. */
function userItems(
  item: WireObject,
  message: Message | undefined,
  given: readonly unknown[],
): Placed<unknown>[] {
  const [source] = Array.isArray(message?.raw?.value) ? message.raw.value : [];
  const from = source === undefined ? -1 : given.indexOf(source);
  const { own, handoff } = message ? separateHandoff(message) : {};
  if (!own || !handoff) return [{ message: item, from }];
  const [told] = writeMessage({ role: "user", parts: handoff.parts, position: -1 });
  const [said] = writeMessage(own);
  return [
    { message: told, from: -1 },
    { message: JSON.stringify(said) === JSON.stringify(source) ? source : said, from },
  ];
}

/** The same wire item for the same item: what comes out untouched is known by it. */
const wires = new WeakMap<object, unknown>();

function toWire(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const known = wires.get(item) ?? wireOf(item as WireObject);
  wires.set(item, known);
  return known;
}

function wireOf(item: WireObject): unknown {
  const { type, callId, output, providerData } = item;
  if (type === "reasoning") return { ...item, encrypted_content: sealIn(providerData) };
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
    typeof piece === "object" && piece !== null && typeof (piece as WireObject).text === "string";
  if (typeof output === "string") return output;
  if (pieces.length === 1 && isText(pieces[0])) return pieces[0].text;
  return pieces.map((piece) => (isText(piece) ? { type: "input_text", text: piece.text } : piece));
}

/** A changed call or result is known by its id. */
function originOf({ type, call_id: callId }: WireObject, given: readonly WireObject[]): number {
  if (typeof callId !== "string") return -1;
  const isResult = String(type).endsWith("_output");
  return given.findIndex(
    (item) => item.callId === callId && /_(?:result|output)$/.test(String(item.type)) === isResult,
  );
}

function fromWire(item: WireObject, origin: WireObject | undefined): unknown {
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
  return { ...(before as WireObject), text: after };
}
