/** What a provider would refuse in a request: an independent reading of the wire formats' rules, for tests. */

type Wire = Record<string, unknown>;

/** One line per fault; `format` is the engine's name for it. */
export function wireFaults(format: string, body: unknown): readonly string[] {
  const { messages, input } = body as Wire;
  const list = (Array.isArray(body) ? body : (messages ?? input)) as readonly Wire[];
  if (format === "openai-responses") return responsesFaults(list);
  return format === "anthropic-messages" ? anthropicFaults(list) : openaiFaults(list);
}

/** Faults that `before` did not have, however often: a compaction may not bring new kinds of trouble. */
export function newWireFaults(format: string, before: unknown, after: unknown): readonly string[] {
  const kinds = new Set(wireFaults(format, before).map(kindOf));
  // A result that answers no call is no one's turn to speak: who may stand beside it, no rule says.
  if (kinds.has("result without call")) kinds.add("same role twice");
  // An item that says nothing is not written again: what led to it is then the last.
  if (kinds.has("empty content")) kinds.add("thinking alone");
  return wireFaults(format, after).filter((fault) => !kinds.has(kindOf(fault)));
}

function kindOf(fault: string): string {
  return fault.slice(0, fault.indexOf(":"));
}

function openaiFaults(messages: readonly Wire[]): readonly string[] {
  const faults: string[] = [];
  let open = new Set<unknown>();
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id))
        faults.push(`result without call: ${index} ${message.tool_call_id}`);
      return;
    }
    if (open.size > 0) faults.push(`call without result: before ${index} ${[...open]}`);
    const calls = (Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(
      (call): call is Wire => typeof call === "object" && call !== null,
    );
    open = new Set(calls.map((call) => call.id));
    for (const call of calls)
      faults.push(...argumentFaults((call.function as Wire | undefined)?.arguments, index));
    if (calls.length === 0 && isEmpty(message.content))
      faults.push(`empty content: ${index} ${message.role}`);
    for (const key of Object.keys(message)) {
      if (/^_|pith|position|pinned|raw/i.test(key)) faults.push(`internal key: ${index} ${key}`);
    }
  });
  if (!messages.some((message) => message.role === "user" && !isEmpty(message.content)))
    faults.push("no user: at all");
  return faults;
}

/** Each output answers a call before it, each call is answered, and thinking leads to what was thought up. */
function responsesFaults(items: readonly Wire[]): readonly string[] {
  const faults: string[] = [];
  const open = new Map<unknown, number>();
  items.forEach((item, index) => {
    const type = String(item.type ?? "message");
    if (/_call_output$/.test(type)) {
      if (!open.delete(item.call_id)) faults.push(`result without call: ${index} ${item.call_id}`);
    } else if (/^(?:function|custom_tool|local_shell|computer)_call$/.test(type))
      open.set(item.call_id, index);
    if (type === "function_call") faults.push(...argumentFaults(item.arguments, index));
    if (type === "message" && isEmpty(item.content)) faults.push(`empty content: ${index} ${item.role}`);
    const next = items[index + 1];
    const follower = String(next?.type ?? "message");
    const isLast = /_output$/.test(follower) || (follower === "message" && next?.role !== "assistant");
    if (type === "reasoning" && isLast) faults.push(`thinking alone: ${index}`);
  });
  for (const [id, index] of open) faults.push(`call without result: ${index} ${id}`);
  if (!items.some(({ role, content }) => role === "user" && !isEmpty(content)))
    faults.push("no user: at all");
  return faults;
}

function argumentFaults(text: unknown, index: number): readonly string[] {
  try {
    JSON.parse(String(text));
    return [];
  } catch {
    return [`arguments not JSON: ${index}`];
  }
}

function anthropicFaults(messages: readonly Wire[]): readonly string[] {
  const faults: string[] = [];
  if (messages.find((message) => message.role !== "system")?.role !== "user")
    faults.push("first is not user: 0");
  messages.forEach((message, index) => {
    const previous = messages[index - 1];
    if (message.role === "system" && !isEmpty(message.content)) {
      const next = messages[index + 1];
      const served = String(blocksOf(previous).at(-1)?.type).match(/._tool_result$/);
      // Who comes after the first, which the provider refuses whoever that is, no rule says.
      if (!previous) {
        faults.push("system message first: 0");
        return;
      }
      if (previous.role !== "user" && !served) faults.push(`system message after ${previous.role}: ${index}`);
      if (next && next.role !== "assistant") faults.push(`system message before ${next.role}: ${index}`);
    }
    if (previous?.role === message.role) faults.push(`same role twice: ${index} ${message.role}`);
    // Without a role it is no message of anybody's, whatever it holds. Only what the assistant is to go on from may be empty.
    const isBegun = message.role === "assistant" && index === messages.length - 1;
    const isSetting = message.role === "system" && message.output_config !== undefined;
    if (message.role && isEmpty(message.content) && !isBegun && !isSetting)
      faults.push(`empty content: ${index} ${message.role}`);
    const blocks = blocksOf(message);
    const asked = new Set(
      blocksOf(previous).flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    for (const block of blocks) {
      if (block.type === "tool_result" && !asked.delete(block.tool_use_id)) {
        faults.push(`result without call: ${index} ${block.tool_use_id}`);
      }
      if (block.type === "text" && !String(block.text).trim()) faults.push(`blank text block: ${index}`);
      if (block.type === "tool_use" && (typeof block.input !== "object" || block.input === null)) {
        faults.push(`call input is no object: ${index}`);
      }
    }
    if (asked.size > 0) faults.push(`call without result: before ${index} ${[...asked]}`);
    const firstOther = blocks.findIndex((block) => block.type !== "tool_result");
    if (firstOther >= 0 && blocks.slice(firstOther).some((block) => block.type === "tool_result")) {
      faults.push(`result after other content: ${index}`);
    }
  });
  return faults;
}

function blocksOf(message: Wire | undefined): readonly Wire[] {
  const content = Array.isArray(message?.content) ? message.content : [];
  return content.map((block) => (typeof block === "object" && block !== null ? block : {}));
}

function isEmpty(content: unknown): boolean {
  return (
    content === undefined ||
    content === null ||
    content === "" ||
    (Array.isArray(content) && content.length === 0)
  );
}
