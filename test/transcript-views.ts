/**
 * Independent readings of the transcript formats: what each program would send to its model, written from the
 * programs' own rules without any of our code. Used to judge the files that we write.
 */

export interface Viewed {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked into freely
type Json = any;

type View = (text: string) => readonly Viewed[];

function lines(text: string): readonly Json[] {
  return text.split(/\r?\n/).flatMap((line) => {
    try {
      const value = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

const said = (role: string, text: unknown, calls: unknown[] = [], results: unknown[] = []): Viewed => ({
  role,
  text: typeof text === "string" ? text : JSON.stringify(text ?? ""),
  calls: calls as string[],
  results: results as string[],
});

function blocks(role: string, content: Json): Viewed {
  if (!Array.isArray(content)) return said(role, content);
  const of = (type: string) => content.filter((block: Json) => block?.type === type);
  const text = content
    .map((block: Json) => (typeof block === "string" ? block : (block?.text ?? "")))
    .join("\n");
  return said(
    role,
    text,
    of("tool_use").map((block: Json) => block.id),
    of("tool_result").map((block: Json) => block.tool_use_id),
  );
}

function chat(message: Json): Viewed {
  const { role, content, tool_calls = [], tool_call_id, tool_call_ids = [] } = message;
  const answered = tool_call_id ? [tool_call_id] : tool_call_ids;
  const { text, calls, results } = blocks(role, content);
  return said(role, text, [...calls, ...tool_calls.map((call: Json) => call.id)], [...results, ...answered]);
}

/** From the last message up the chain of parents; every parent must be there, and the first line must be a root. */
function claudeCode(text: string): readonly Viewed[] {
  const all = lines(text);
  const byUuid = new Map(all.filter((line) => line.uuid).map((line) => [line.uuid, line]));
  const spoken = all.filter((line) => line.type === "user" || line.type === "assistant");
  const main = spoken.filter((line) => !line.isSidechain);
  const own = main.length > 0 ? main : spoken;
  const chain = new Set<Json>();
  for (let line = own.at(-1); line; ) {
    if (chain.has(line)) throw new Error("the chain of parents runs in a circle");
    chain.add(line);
    if (line.parentUuid && !byUuid.has(line.parentUuid))
      throw new Error(`parent ${line.parentUuid} is not in the file`);
    line = byUuid.get(line.parentUuid);
  }
  const replies = new Set([...chain].map((line) => line.message?.id).filter(Boolean));
  const idsOf = (line: Json) =>
    Array.isArray(line.message?.content)
      ? line.message.content.map((block: Json) => block.tool_use_id).filter(Boolean)
      : [];
  for (const line of own) if (replies.has(line.message?.id)) chain.add(line);
  const calls = new Set([...chain].flatMap((line) => blocks("", line.message?.content).calls));
  for (const line of own) if (idsOf(line).some((id: string) => calls.has(id))) chain.add(line);
  return all
    .filter((line) => chain.has(line))
    .map((line) =>
      line.subtype === "compact_boundary"
        ? said("boundary", "")
        : blocks(line.message?.role ?? line.type, line.message?.content),
    );
}

function responseItem(item: Json): readonly Viewed[] {
  const { type } = item;
  if (type === "message") return [blocks(item.role, item.content)];
  if (type === "function_call" || type === "custom_tool_call" || type === "tool_search_call")
    return [said("assistant", "", [item.call_id])];
  if (/_output$/.test(type)) return [said("tool", item.output, [], [item.call_id])];
  return [said("assistant", "")];
}

function codexRollout(text: string): readonly Viewed[] {
  let history: Json[] = [];
  for (const { type, payload } of lines(text)) {
    if (type === "response_item") history.push(payload);
    if (type === "compacted" && payload.replacement_history) history = [...payload.replacement_history];
  }
  return history.flatMap(responseItem);
}

/** Older sessions are a list with line numbers, newer ones a tree; both show the summary, the kept, and the rest. */
function piSession(text: string): readonly Viewed[] {
  const [, ...entries] = lines(text);
  const isTree = entries.some((entry) => "parentId" in entry);
  const path: Json[] = [];
  if (isTree) {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (let entry = entries.at(-1); entry; entry = byId.get(entry.parentId)) {
      if (entry.parentId && !byId.has(entry.parentId))
        throw new Error(`parent ${entry.parentId} is not in the file`);
      path.unshift(entry);
    }
  } else path.push(...entries);
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  const kept =
    compaction === undefined
      ? 0
      : path.findIndex((entry, index) =>
          isTree ? entry.id === compaction.firstKeptEntryId : index + 1 === compaction.firstKeptEntryIndex,
        );
  const shown = compaction
    ? [...(kept < 0 || kept > at ? [] : path.slice(kept, at)), ...path.slice(at + 1)]
    : path;
  const messages = shown
    .filter((entry) => entry.type === "message")
    .map(({ message }) => {
      const calls = Array.isArray(message.content)
        ? message.content.filter((block: Json) => block.type === "toolCall")
        : [];
      const { text: words } = blocks(message.role, message.content);
      return said(
        message.role,
        words,
        calls.map((call: Json) => call.id),
        message.toolCallId ? [message.toolCallId] : [],
      );
    });
  return compaction ? [said("user", compaction.summary), ...messages] : messages;
}

function copilotCli(text: string): readonly Viewed[] {
  const byId = new Map(lines(text).map((event) => [event.id, event]));
  const all: Json[] = [];
  for (let event = [...byId.values()].at(-1); event; event = byId.get(event.parentId)) {
    if (event.parentId && !byId.has(event.parentId))
      throw new Error(`parent ${event.parentId} is not in the file`);
    all.unshift(event);
  }
  return all.flatMap(({ type, data }) => {
    if (type === "user.message" || type === "system.message")
      return [said(type.split(".")[0], data.transformedContent ?? data.content)];
    if (type === "assistant.message")
      return [
        said(
          "assistant",
          data.content,
          data.toolRequests.map((call: Json) => call.toolCallId),
        ),
      ];
    if (type === "tool.execution_complete")
      return [said("tool", data.result?.content, [], [data.toolCallId])];
    return [];
  });
}

/** Calls are the events that an observation names as its cause, or in the oldest files the event before it. */
function openHands(text: string): readonly Viewed[] {
  const whole = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const rows = Array.isArray(whole) ? whole : lines(text);
  const runs = rows.filter((row: Json) => Array.isArray(row.history)).map((row: Json) => row.history);
  // The run that holds a hand-off, or else the longest.
  const told = runs.find((run: Json[]) => JSON.stringify(run).includes("[Pith hand-off]"));
  const events: Json[] =
    runs.length > 0 ? (told ?? runs.sort((a: Json[], b: Json[]) => b.length - a.length)[0]) : rows;
  const condensation = events.findLast(
    (event) => event.action === "condensation" || event.kind === "Condensation",
  );
  const view = events.flatMap((event, index): readonly Viewed[] => {
    const name = String(event.id ?? index);
    if (event.kind === "ActionEvent") return [said("assistant", "", [event.tool_call_id])];
    if (event.kind === "ObservationEvent") return [said("tool", event.observation, [], [event.tool_call_id])];
    if (event.kind === "MessageEvent") return [blocks(event.llm_message.role, event.llm_message.content)];
    if (event.kind === "SystemPromptEvent") return [said("system", event.system_prompt)];
    if (event.action === "message")
      return [said(event.source ?? "user", event.args?.content ?? event.content)];
    if (event.action === "system") return [said("system", event.args.content)];
    if (event.observation === "recall" || event.action === "recall" || event.action === "condensation")
      return [said("program", "")];
    if (event.kind) return [said("program", "")];
    if (event.action === "finish") return [said("assistant", "")];
    if (event.action) return [said("assistant", "", [name])];
    return [
      said(
        "tool",
        event.content,
        [],
        event.cause === undefined ? [String(events[index - 1]?.id ?? index - 1)] : [String(event.cause)],
      ),
    ];
  });
  if (condensation === undefined) return view;
  const { summary, summary_offset: offset } = condensation.args ?? condensation;
  return view.toSpliced(offset, 0, said("user", summary));
}

function sweAgent(text: string): readonly Viewed[] {
  return JSON.parse(text).history.map(chat);
}

/** By the first characters of each line, as aider restores a chat. */
function aider(text: string): readonly Viewed[] {
  const view: { role: string; text: string }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("# aider chat")) continue;
    const role = line.startsWith("#### ") ? "user" : line.startsWith(">") ? "terminal" : "assistant";
    const last = view.at(-1);
    if (last?.role === role) last.text += `\n${line}`;
    else view.push({ role, text: line });
  }
  return view.map(({ role, text: words }) =>
    said(role, role === "user" ? words.replaceAll(/^#### | {2}$/gm, "") : words),
  );
}

function codexTuiLog(text: string): readonly Viewed[] {
  return lines(text).flatMap(({ kind, payload }) => {
    if (kind === "op" && payload.items) return [blocks("user", payload.items)];
    const { msg } = payload ?? {};
    if (!msg) return [];
    if (msg.type === "agent_message") return [said("assistant", msg.message)];
    if (/_begin$/.test(msg.type)) return [said("assistant", "", [msg.call_id])];
    return /_(command|apply|call)_end$/.test(msg.type) || /^(exec_command|patch_apply)_end$/.test(msg.type)
      ? [said("tool", msg.stdout, [], [msg.call_id])]
      : [];
  });
}

function copilotChat(text: string): readonly Viewed[] {
  const requests = JSON.parse(text).prompts.flatMap((prompt: Json) =>
    prompt.logs.filter((log: Json) => log.requestMessages),
  );
  return requests.at(-1).requestMessages.messages.map((message: Json) => {
    const words = message.content.map((part: Json) => part.text ?? "").join("\n");
    const calls = (message.toolCalls ?? []).map((call: Json) => call.id);
    return said(
      ["system", "user", "assistant", "tool"][message.role]!,
      words,
      calls,
      message.toolCallId ? [message.toolCallId] : [],
    );
  });
}

/** The call with a hand-off, or with the most messages; its messages must be numbered without a gap. */
function openInference(text: string): readonly Viewed[] {
  const found: Record<string, string>[] = [];
  const walk = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    if (value["llm.input_messages.0.message.role"]) found.push(value);
    for (const each of Object.values(value)) walk(each);
  };
  walk(JSON.parse(text));
  const count = (each: Record<string, string>) =>
    Object.keys(each).filter((key) => /input_messages\.\d+\.message\.role$/.test(key)).length;
  const call =
    found.find((each) => JSON.stringify(each).includes("[Pith hand-off]")) ??
    found.sort((a, b) => count(b) - count(a))[0]!;
  return Array.from({ length: count(call) }, (_, index) => {
    const role = call[`llm.input_messages.${index}.message.role`];
    if (role === undefined) throw new Error(`message ${index} is missing`);
    const words = call[`llm.input_messages.${index}.message.content`] ?? "";
    const called = role === "tool-call" ? (/'id': '([^']+)'/.exec(words) ?? []).slice(1) : [];
    const answered = role === "tool-response" ? (/^Call id: (\S+)/.exec(words) ?? []).slice(1) : [];
    return said(role, words, called, answered);
  });
}

function messageList(text: string): readonly Viewed[] {
  const json = JSON.parse(text);
  return (Array.isArray(json) ? json : json.messages).map(chat);
}

function gptme(text: string): readonly Viewed[] {
  return lines(text).map(({ role, content }) => said(role, content));
}

function aiSdkUi(text: string): readonly Viewed[] {
  const json = JSON.parse(text);
  return (Array.isArray(json) ? json : json.messages).map(({ role, parts }: Json) => {
    const tools = parts.filter((part: Json) => part.toolCallId);
    const words = parts.map((part: Json) => part.text ?? "").join("\n");
    const ids = tools.map((part: Json) => part.toolCallId);
    return said(
      role,
      words,
      ids,
      tools.filter((part: Json) => part.output !== undefined).map((part: Json) => part.toolCallId),
    );
  });
}

function aiSdkModel(text: string): readonly Viewed[] {
  return JSON.parse(text).map(({ role, content }: Json) => {
    const of = (type: string) =>
      Array.isArray(content)
        ? content.filter((part: Json) => part.type === type).map((part: Json) => part.toolCallId)
        : [];
    return said(role, blocks(role, content).text, of("tool-call"), of("tool-result"));
  });
}

function langChain(text: string): readonly Viewed[] {
  return JSON.parse(text).map((message: Json) => {
    const fields = message.kwargs ?? message.data ?? message;
    const role = message.kwargs ? message.id.at(-1) : message.type;
    const calls = (fields.tool_calls ?? []).map((call: Json) => call.id);
    return said(role, fields.content, calls, fields.tool_call_id ? [fields.tool_call_id] : []);
  });
}

function geminiParts(role: string, parts: Json): Viewed {
  const list = Array.isArray(parts) ? parts : [parts];
  return said(
    role,
    list.map((part: Json) => (typeof part === "string" ? part : (part?.text ?? ""))).join("\n"),
    list.flatMap((part: Json) => part?.functionCall?.id ?? []),
    list.flatMap((part: Json) => part?.functionResponse?.id ?? []),
  );
}

function geminiCli(text: string): readonly Viewed[] {
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    const byId = new Map<string, Json>();
    for (const line of lines(text)) if (line.id) byId.set(line.id, line);
    json = { messages: [...byId.values()] };
  }
  if (Array.isArray(json)) return json.map(({ role, parts }: Json) => geminiParts(role, parts));
  return json.messages.map(({ type, content, toolCalls = [] }: Json) => {
    const ids = toolCalls.map((call: Json) => call.id);
    return said(
      type,
      geminiParts(type, content).text,
      ids,
      toolCalls.filter((call: Json) => call.result).map((call: Json) => call.id),
    );
  });
}

/** Backwards to the compaction whose summary is finished; messages must be in the order of their ids. */
function openCode(text: string): readonly Viewed[] {
  const { messages } = JSON.parse(text);
  const ids = messages.map(({ info }: Json) => info.id);
  if (ids.join() !== [...ids].sort().join())
    throw new Error("the messages are not in the order of their ids");
  const completed = new Set();
  const shown: Json[] = [];
  for (const message of messages.toReversed()) {
    shown.unshift(message);
    if (completed.has(message.info.id) && message.parts.some((part: Json) => part.type === "compaction"))
      break;
    if (message.info.summary && message.info.finish) completed.add(message.info.parentID);
  }
  return shown.map(({ info, parts }) => {
    const tools = parts.filter((part: Json) => part.type === "tool");
    const ids2 = tools.map((part: Json) => part.callID);
    const done = tools
      .filter((part: Json) => part.state.output !== undefined)
      .map((part: Json) => part.callID);
    return said(info.role, parts.map((part: Json) => part.text ?? "").join("\n"), ids2, done);
  });
}

function openAIResponses(text: string): readonly Viewed[] {
  const json = JSON.parse(text);
  const items = Array.isArray(json) ? json : [...(json.input ?? json.data ?? []), ...(json.output ?? [])];
  return items.flatMap(responseItem);
}

function openAIAssistants(text: string): readonly Viewed[] {
  const json = JSON.parse(text);
  const entries = [...(Array.isArray(json) ? json : json.data)].reverse();
  return entries.map((entry: Json) => {
    const calls = entry.step_details?.tool_calls?.map((call: Json) => call.id) ?? [];
    const words = entry.content?.map((block: Json) => block.text.value).join("\n") ?? "";
    return said(entry.role ?? "assistant", words, calls, calls);
  });
}

function markdownChat(text: string): readonly Viewed[] {
  return text
    .split(/^(?=## (?:User|Assistant)\s*$)/m)
    .filter((section) => section.startsWith("## "))
    .map((section) =>
      said(section.startsWith("## User") ? "user" : "assistant", section.replace(/^## \w+\s*/, "")),
    );
}

/** By the names of the formats. */
export const views: Readonly<Record<string, View>> = {
  "claude-code": claudeCode,
  "codex-rollout": codexRollout,
  "codex-tui-log": codexTuiLog,
  pi: piSession,
  "copilot-cli": copilotCli,
  "copilot-chat": copilotChat,
  openinference: openInference,
  "swe-agent": sweAgent,
  opencode: openCode,
  "gemini-cli": geminiCli,
  "openai-assistants": openAIAssistants,
  cline: messageList,
  openhands: openHands,
  "ai-sdk-ui": aiSdkUi,
  "ai-sdk-model": aiSdkModel,
  langchain: langChain,
  "openai-responses": openAIResponses,
  gptme,
  aider,
  "openai-chat": messageList,
  "anthropic-messages": messageList,
  "markdown-chat": markdownChat,
};

/** What is wrong with a view: results without a call before them, calls that lost their result, another number of hand-offs. */
export function viewFaults(
  before: readonly Viewed[],
  after: readonly Viewed[],
  handoffs = 1,
): readonly string[] {
  const found: string[] = [];
  const open = unanswered(before);
  const lost = orphans(before);
  for (const id of unanswered(after)) if (!open.has(id)) found.push(`call ${id} lost its result`);
  for (const id of orphans(after)) if (!lost.has(id)) found.push(`result ${id} lost its call`);
  const parted = partedPairs(before);
  for (const id of partedPairs(after))
    if (!parted.has(id)) found.push(`the user speaks between call ${id} and its result`);
  const told = after.filter(({ text }) => text.includes("[Pith hand-off]")).length;
  if (told !== handoffs) found.push(`${told} hand-offs are in view`);
  return found;
}

function unanswered(view: readonly Viewed[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { calls, results } of view) {
    for (const id of calls) open.add(id);
    for (const id of results) open.delete(id);
  }
  return open;
}

function orphans(view: readonly Viewed[]): ReadonlySet<string> {
  const called = new Set<string>();
  const lost = new Set<string>();
  for (const { calls, results } of view) {
    for (const id of calls) called.add(id);
    for (const id of results) if (!called.has(id)) lost.add(id);
  }
  return lost;
}

/** Calls after which the user says something before the result is there. */
function partedPairs(view: readonly Viewed[]): ReadonlySet<string> {
  const open = new Set<string>();
  const parted = new Set<string>();
  for (const { role, text, calls, results } of view) {
    for (const id of calls) open.add(id);
    for (const id of results) open.delete(id);
    if (role === "user" && text.trim() !== "" && results.length === 0) for (const id of open) parted.add(id);
  }
  return parted;
}
