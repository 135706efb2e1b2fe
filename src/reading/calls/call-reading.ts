/** What is read of a call once, for the ledger, the story and the report: its arguments by name, and what it does. */
import type { ToolCallPart } from "../../conversation/part.ts";
import { opensObject, parsedObject, type WireObject } from "../../json/wire-value.ts";
import type { Action } from "./action.ts";

/** None where the arguments are no JSON object. */
export function argumentsOf(call: ToolCallPart): WireObject {
  return readingOf(call).values;
}

/** What `read` makes of the arguments, which it is asked once; those that are no JSON object are its `input`. */
export function actionsOnce(
  call: ToolCallPart,
  read: (call: ToolCallPart, values: WireObject) => readonly Action[],
): readonly Action[] {
  const reading = readingOf(call);
  const { values } = reading;
  reading.actions ??= read(call, values === NO_ARGUMENTS ? { input: call.arguments } : values);
  return reading.actions;
}

/** One record for both: a table of their own for each would cost more than most calls take to read. */
interface CallReading {
  readonly values: WireObject;
  actions: readonly Action[] | undefined;
}

function readingOf(call: ToolCallPart): CallReading {
  let reading = readings.get(call);
  if (reading === undefined) {
    const values = opensObject(call.arguments) ? parsedObject(call.arguments) : NO_ARGUMENTS;
    reading = { values, actions: undefined };
    readings.set(call, reading);
  }
  return reading;
}

/** Every later compaction asks again. */
const readings = new WeakMap<ToolCallPart, CallReading>();
const NO_ARGUMENTS: WireObject = {};
