/** The rules of the OpenAI Chat Completions API. */
import { isObject, parsedJson, type WireObject } from "../../json/wire-value.ts";
import { checkToolNames, isBlank, isEmpty, objectsIn } from "../validate/common.ts";
import type { Faults } from "../validate/fault.ts";

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_TOOLS = 128;

export function checkOpenAIChat(body: WireObject, messages: readonly WireObject[], faults: Faults): void {
  let open = new Map<unknown, string>();
  const closeOpen = (path: string): void => {
    for (const [id, where] of open) {
      faults.add("adjacency", where, `No result of the call ${JSON.stringify(id)} comes before ${path}.`);
    }
    open = new Map();
  };
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    const { role } = message;
    if (typeof role !== "string" || !ROLES.has(role))
      faults.add("shape", path, `The role ${JSON.stringify(role)} is not known.`);
    if (role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        faults.add(
          "pairing",
          path,
          `It answers ${JSON.stringify(message.tool_call_id)}, which no call right before it has.`,
        );
      }
      return;
    }
    closeOpen(path);
    checkContent(message, path, faults);
    if (role === "assistant") open = readCalls(message, path, faults);
  });
  closeOpen("the end");
  if (messages.length > 0 && messages.every(({ role }) => role === "system" || role === "developer"))
    faults.add("role-order", "messages", "Nobody but the system says anything.");
  checkTools(body, faults);
}

function checkContent(message: WireObject, path: string, faults: Faults): void {
  const { role, content } = message;
  if (role === "assistant") {
    const says =
      !isEmpty(content) || message.tool_calls || message.function_call || message.refusal || message.audio;
    if (!says) faults.add("content", path, "The assistant neither says nor calls anything.");
  } else if (isEmpty(content)) faults.add("content", path, "It has no content.");
  objectsIn(content).forEach((part, at) => {
    if (isBlank(part.type)) faults.add("content", `${path}.content[${at}]`, "A part needs a type.");
  });
}

function readCalls(message: WireObject, path: string, faults: Faults): Map<unknown, string> {
  const calls = message.tool_calls;
  const open = new Map<unknown, string>();
  if (calls === undefined || calls === null) return open;
  if (!Array.isArray(calls) || calls.length === 0) {
    faults.add("call", `${path}.tool_calls`, "It must be a list of at least one call, or be left out.");
    return open;
  }
  objectsIn(calls).forEach((call, at) => {
    const where = `${path}.tool_calls[${at}]`;
    if (isBlank(call.id)) faults.add("call", where, "A call needs an id.");
    if (open.has(call.id))
      faults.add("call", where, `The id ${JSON.stringify(call.id)} is used twice in one answer.`);
    open.set(call.id, where);
    if (isObject(call.custom)) return;
    const asked = isObject(call.function) ? call.function : {};
    if (isBlank(asked.name)) faults.add("call", where, "A call needs the name of a function.");
    if (
      typeof asked.arguments !== "string" ||
      (asked.arguments !== "" && parsedJson(asked.arguments) === undefined)
    )
      faults.add("call", where, "The arguments must be JSON text.");
  });
  return open;
}

function checkTools(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: WireObject,
  faults: Faults,
): void {
  if (Array.isArray(tools) && tools.length === 0)
    faults.add("tools", "tools", "An empty list is refused: leave it out.");
  const names = objectsIn(tools).map((tool) => (isObject(tool.function) ? tool.function.name : undefined));
  checkToolNames(names, { path: "tools", most: MOST_TOOLS, pattern: NAME, faults });
  const hasTools = names.length > 0;
  if (!hasTools && choice !== undefined && choice !== "none" && choice !== "auto")
    faults.add("tools", "tool_choice", "A tool is demanded, but none is defined.");
  if (!hasTools && parallel !== undefined)
    faults.add("tools", "parallel_tool_calls", "It is only taken with tools.");
  const chosen = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  if (hasTools && chosen !== undefined && !names.includes(chosen))
    faults.add("tools", "tool_choice", `It demands ${JSON.stringify(chosen)}, which is not defined.`);
}
