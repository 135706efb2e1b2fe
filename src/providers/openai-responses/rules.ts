/** The rules of the OpenAI Responses API. */

import { firstText, isObject, parsedJson, type WireObject } from "../../json/wire-value.ts";
import { checkToolNames, isBlank, isEmpty, objectsIn } from "../validate/common.ts";
import type { Faults } from "../validate/fault.ts";
import { isCall, isOutput, typeOf } from "./read.ts";

const ROLES = new Set(["system", "developer", "user", "assistant"]);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_TOOLS = 128;

export function checkOpenAIResponses(body: WireObject, items: readonly WireObject[], faults: Faults): void {
  // What the provider keeps itself may be answered without being sent again.
  const isContinued = !isEmpty(body.previous_response_id) || !isEmpty(body.conversation);
  const open = new Map<string, string>();
  const ids = new Set<unknown>();
  const approvals = new Set<unknown>();
  items.forEach((item, index) => {
    const path = `input[${index}]`;
    const type = typeOf(item);
    if (item.id !== undefined && ids.has(item.id))
      faults.add("shape", path, `The id ${JSON.stringify(item.id)} is used twice.`);
    ids.add(item.id);
    if (type === "") faults.add("shape", path, "An item needs a type or a role.");
    if (type === "message") checkMessage(item, path, faults);
    if (type === "reasoning") checkReasoning(items[index + 1], path, faults);
    if (isCall(type)) {
      const id = firstText(item.call_id, item.id);
      if (id === "") faults.add("call", path, "A call needs a call_id.");
      if (open.has(id)) faults.add("call", path, `The call ${JSON.stringify(id)} is used twice.`);
      if (type === "function_call") checkCall(item, path, faults);
      open.set(id, path);
    }
    const id = firstText(item.call_id, item.id);
    if (isOutput(type) && !open.delete(id) && !isContinued)
      faults.add("pairing", path, `It answers ${JSON.stringify(id)}, which no call before it has.`);
    if (type === "mcp_approval_request") approvals.add(item.id);
    if (type === "mcp_approval_response" && !approvals.has(item.approval_request_id) && !isContinued)
      faults.add(
        "approvals",
        path,
        `No approval was asked for under ${JSON.stringify(item.approval_request_id)}.`,
      );
  });
  for (const [id, path] of open)
    faults.add("pairing", path, `No output of the call ${JSON.stringify(id)} was found.`);
  if (items.length === 0 && !isContinued) faults.add("content", "input", "There is nothing to answer.");
  const { tools, tool_choice: choice } = body;
  const names = objectsIn(tools).map((tool) => (tool.type === "function" ? tool.name : undefined));
  checkToolNames(names, { path: "tools", most: MOST_TOOLS, pattern: NAME, faults });
  if (isObject(choice) && choice.type === "function" && !names.includes(choice.name))
    faults.add("tools", "tool_choice", `It demands ${JSON.stringify(choice.name)}, which is not defined.`);
}

function checkMessage({ role, content }: WireObject, path: string, faults: Faults): void {
  if (typeof role !== "string" || !ROLES.has(role))
    faults.add("shape", path, `The role ${JSON.stringify(role)} is not known.`);
  if (isEmpty(content)) faults.add("content", path, "It has no content.");
  objectsIn(content).forEach((block, at) => {
    const type = firstText(block.type);
    const wrong =
      role === "assistant" ? type.startsWith("input_") : type === "output_text" || type === "refusal";
    if (type === "" || wrong)
      faults.add(
        "content",
        `${path}.content[${at}]`,
        `A block of type ${JSON.stringify(block.type)} is not taken from the ${role}.`,
      );
  });
}

/** Thinking comes before what was thought up, in the same answer. */
function checkReasoning(next: WireObject | undefined, path: string, faults: Faults): void {
  const type = next && typeOf(next);
  const follows =
    type !== undefined && !isOutput(type) && !(type === "message" && next?.role !== "assistant");
  if (!follows)
    faults.add("thinking", path, "Thinking must be followed by what the assistant said or called.");
}

function checkCall({ name, arguments: json }: WireObject, path: string, faults: Faults): void {
  if (isBlank(name)) faults.add("call", path, "A call needs the name of a function.");
  if (typeof json !== "string" || (json !== "" && parsedJson(json) === undefined))
    faults.add("call", path, "The arguments must be JSON text.");
}
