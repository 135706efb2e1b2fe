/** The arguments of a call by name, parsed once: the ledger, the story and the report all ask for them. */
import type { ToolCallPart } from "../../conversation/part.ts";
import { parsedObject, type WireObject } from "../../json/wire-value.ts";

/** None where the arguments are no JSON object. */
export function argumentsOf(call: ToolCallPart): WireObject {
  let values = valuesBy.get(call);
  if (values === undefined) {
    values = opensObject(call.arguments) ? parsedObject(call.arguments) : NONE;
    valuesBy.set(call, values);
  }
  return values;
}

const valuesBy = new WeakMap<ToolCallPart, WireObject>();
const NONE: WireObject = {};

/** Whether a text may be a JSON object: its first mark is the brace that opens one. */
export function opensObject(text: string): boolean {
  return text.startsWith("{") || /^\s+\{/.test(text);
}
