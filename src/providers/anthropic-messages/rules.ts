/** The rules of the Anthropic Messages API. */
import { isObject, type WireObject } from "../../json/wire-value.ts";
import { checkToolNames, isBlank, isEmpty, objectsIn } from "../validate/common.ts";
import type { Faults } from "../validate/fault.ts";

const ID = /^[a-zA-Z0-9_-]+$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_TOOLS = 10_000;
const MOST_MESSAGES = 100_000;
const MOST_BREAKPOINTS = 4;
const LEAST_BUDGET = 1024;

export function checkAnthropicMessages(
  body: WireObject,
  messages: readonly WireObject[],
  faults: Faults,
): void {
  if (messages.length > MOST_MESSAGES)
    faults.add(
      "limits",
      "messages",
      `There are ${messages.length} messages; at most ${MOST_MESSAGES} are taken.`,
    );
  const first = messages.findIndex((message) => !setsOnly(message));
  if (messages[first] !== undefined && messages[first].role !== "user")
    faults.add("role-order", `messages[${first}]`, "The first message must be the user's.");
  checkPlaces(messages, faults);
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    const { role } = message;
    if (role !== "user" && role !== "assistant" && role !== "system")
      faults.add("shape", path, `The role ${JSON.stringify(role)} is not taken in the list.`);
    checkContent(message, path, index === messages.length - 1, faults);
    if (role === "assistant" && index === messages.length - 1) checkLastWords(message, path, faults);
  });
  const speeches = speechesOf(messages);
  speeches.forEach((speech, index) => {
    checkResults(speech, speeches[index - 1], faults);
    checkServerTools(speech, faults);
  });
  const last = speeches.at(-1);
  for (const { block, message } of last?.role === "assistant" ? last.blocks : [])
    if (block.type === "tool_use")
      faults.add("adjacency", message, `The call ${JSON.stringify(block.id)} has no result.`);
  checkThinking(body, speeches, faults);
  checkBreakpoints(body, messages, faults);
  checkRequest(body, faults);
}

/** A system message that says nothing and only sets something from there on: it may be anywhere. */
function setsOnly({ role, content, output_config: settings }: WireObject): boolean {
  return role === "system" && isEmpty(content) && isObject(settings);
}

/** A system message in the list is right after the user's, or after what a server tool answered, and before the assistant's or last. */
function checkPlaces(messages: readonly WireObject[], faults: Faults): void {
  messages.forEach((message, index) => {
    if (message.role !== "system" || setsOnly(message)) return;
    const path = `messages[${index}]`;
    const [previous, next] = [messages[index - 1], messages[index + 1]];
    const last = String(blocksOf(previous).at(-1)?.type);
    const isAfterServerTool = previous?.role === "assistant" && SERVER_RESULT.test(last);
    if (previous?.role === "system" || next?.role === "system")
      faults.add("role-order", path, "A system message may not be beside another one.");
    // The first message has its own fault.
    else if (previous !== undefined && previous.role !== "user" && !isAfterServerTool)
      faults.add("role-order", path, "A system message must come right after the user's.");
    if (next !== undefined && next.role !== "assistant" && next.role !== "system")
      faults.add("role-order", path, "A system message must be last, or before the assistant's.");
  });
}

const SERVER_RESULT = /._tool_result$/;

/** What one role says: messages of a role in a row, which the provider combines. */
interface Speech {
  readonly role: unknown;
  /** Of its first message. */
  readonly path: string;
  readonly blocks: readonly Located[];
}

interface Located {
  readonly block: WireObject;
  readonly path: string;
  /** The path of its message. */
  readonly message: string;
}

function speechesOf(messages: readonly WireObject[]): readonly Speech[] {
  const speeches: { readonly role: unknown; readonly path: string; readonly blocks: Located[] }[] = [];
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    if (index === 0 || messages[index - 1]!.role !== message.role)
      speeches.push({ role: message.role, path, blocks: [] });
    speeches.at(-1)!.blocks.push(...locatedBlocks(message, path));
  });
  return speeches;
}

/** A text that is no block is one when it is combined. */
function locatedBlocks(message: WireObject, path: string): readonly Located[] {
  const { content } = message;
  if (typeof content === "string" && content !== "")
    return [{ block: { type: "text", text: content }, path, message: path }];
  return blocksOf(message).map((block, at) => ({ block, path: `${path}.content[${at}]`, message: path }));
}

function blocksOf(message: WireObject | undefined): readonly WireObject[] {
  return objectsIn(message?.content);
}

function checkContent(message: WireObject, path: string, isLast: boolean, faults: Faults): void {
  const { content, role } = message;
  // The last answer may be left empty for the model to begin.
  if (isEmpty(content) && !(isLast && role === "assistant") && !setsOnly(message))
    faults.add("content", path, "It has no content.");
  if (typeof content === "string" && content !== "" && content.trim() === "")
    faults.add("content", path, "Its text is blank.");
  objectsIn(content).forEach((block, at) => {
    const where = `${path}.content[${at}]`;
    if (isBlank(block.type)) faults.add("content", where, "A block needs a type.");
    if (block.type === "text" && isBlank(block.text))
      faults.add("content", where, "A text block may not be blank.");
    if (block.type === "tool_use") checkCall(block, role, where, faults);
    if (block.type === "tool_result" && role !== "user")
      faults.add("pairing", where, "Results belong in the user's messages.");
    if (block.type === "thinking" && role !== "assistant")
      faults.add("thinking", where, "Only the assistant thinks.");
    if (block.type === "thinking" && isBlank(block.signature))
      faults.add("thinking", where, "Thinking without its signature is refused.");
  });
}

function checkCall({ id, name, input }: WireObject, role: unknown, path: string, faults: Faults): void {
  if (role !== "assistant") faults.add("call", path, "Only the assistant calls tools.");
  if (typeof id !== "string" || !ID.test(id))
    faults.add("call", path, `The id ${JSON.stringify(id)} must match ${ID.source}.`);
  if (typeof name !== "string" || !NAME.test(name))
    faults.add("call", path, `The name ${JSON.stringify(name)} must match ${NAME.source}.`);
  if (!isObject(input)) faults.add("call", path, "The input must be an object.");
}

/** Every call is answered in the very next speech, each once, before anything else that it says. */
function checkResults({ path, blocks }: Speech, before: Speech | undefined, faults: Faults): void {
  const asked = new Set(
    (before?.role === "assistant" ? before.blocks : []).flatMap(({ block }) =>
      block.type === "tool_use" ? [block.id] : [],
    ),
  );
  let other = false;
  for (const { block, path: where } of blocks) {
    const { type, tool_use_id: id } = block;
    if (type !== "tool_result") other = true;
    else if (!asked.delete(id))
      faults.add("pairing", where, `It answers ${JSON.stringify(id)}, which no call right before it has.`);
    else if (other) faults.add("adjacency", where, "Results must come before anything else in the message.");
  }
  for (const id of asked)
    faults.add("adjacency", path, `The call ${JSON.stringify(id)} before it is not answered here.`);
}

/** What the provider ran itself: call and result are in one speech. */
function checkServerTools({ blocks }: Speech, faults: Faults): void {
  const called = new Set<unknown>();
  for (const { block, path } of blocks) {
    const { type, id, tool_use_id: answered } = block;
    if (type === "server_tool_use" || type === "mcp_tool_use") called.add(id);
    const isResult = typeof type === "string" && SERVER_RESULT.test(type);
    if (isResult && !called.delete(answered))
      faults.add("server-tools", path, `No server call ${JSON.stringify(answered)} comes before it.`);
  }
}

function checkLastWords(message: WireObject, path: string, faults: Faults): void {
  const last = typeof message.content === "string" ? message.content : blocksOf(message).at(-1)?.text;
  if (typeof last === "string" && last !== "" && last !== last.trimEnd())
    faults.add("content", path, "The last answer may not end in white space.");
}

/** While thinking is on, an answer that is still at work must begin with its thinking. */
function checkThinking(body: WireObject, speeches: readonly Speech[], faults: Faults): void {
  const { thinking, max_tokens: most } = body;
  if (!isObject(thinking) || thinking.type !== "enabled") return;
  const budget = thinking.budget_tokens;
  if (typeof budget !== "number" || budget < LEAST_BUDGET)
    faults.add("thinking", "thinking.budget_tokens", `It must be at least ${LEAST_BUDGET}.`);
  else if (typeof most === "number" && budget >= most)
    faults.add("thinking", "thinking.budget_tokens", "It must be below max_tokens.");
  const index = speeches.findLastIndex(({ role }) => role === "assistant");
  const atWork = speeches[index + 1]?.blocks.some(({ block }) => block.type === "tool_result");
  const first = speeches[index]?.blocks[0]?.block.type;
  if (atWork && first !== "thinking" && first !== "redacted_thinking")
    faults.add(
      "thinking",
      speeches[index]?.path ?? "messages",
      "With thinking on, an answer that waits for results must begin with its thinking.",
    );
}

function checkBreakpoints(body: WireObject, messages: readonly WireObject[], faults: Faults): void {
  const blocks = [...objectsIn(body.system), ...objectsIn(body.tools), ...messages.flatMap(blocksOf)];
  const marked = blocks.filter((block) => block.cache_control !== undefined && block.cache_control !== null);
  if (marked.length > MOST_BREAKPOINTS)
    faults.add(
      "limits",
      "cache_control",
      `There are ${marked.length} cache breakpoints; at most ${MOST_BREAKPOINTS} are taken.`,
    );
  if (marked.some(({ type }) => type === "thinking" || type === "redacted_thinking"))
    faults.add("thinking", "cache_control", "Thinking cannot carry a cache breakpoint.");
}

function checkRequest({ tools, tool_choice: choice, max_tokens: most }: WireObject, faults: Faults): void {
  if (most !== undefined && !(Number.isSafeInteger(most) && (most as number) > 0))
    faults.add("limits", "max_tokens", "It must be a whole number above 0.");
  const names = objectsIn(tools).map(({ name }) => name);
  checkToolNames(names, { path: "tools", most: MOST_TOOLS, pattern: NAME, faults });
  if (names.length === 0 && isObject(choice) && choice.type !== "none" && choice.type !== "auto")
    faults.add("tools", "tool_choice", "A tool is demanded, but none is defined.");
  if (isObject(choice) && choice.type === "tool" && names.length > 0 && !names.includes(choice.name))
    faults.add("tools", "tool_choice", `It demands ${JSON.stringify(choice.name)}, which is not defined.`);
}
