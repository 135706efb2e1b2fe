/** One made-up session, written the way each program writes it: after the published types where no recording exists. */

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly path: string };
  readonly output: string;
}

interface Turn {
  readonly ask: string;
  readonly thought: string;
  readonly plan: string;
  readonly calls: readonly Call[];
  readonly reply: string;
}

const output = (path: string, at: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `${line + 1}: const value${at}_${line} = load("${path}", ${at * 1000 + line});`,
  ).join("\n");

/** Some turns make two calls at once. */
const turns: readonly Turn[] = Array.from({ length: 10 }, (_, at) => ({
  ask: `Question ${at}: what does src/part${at}.ts do? Always answer in English.`,
  thought: `The user asks about part ${at}; I should read it first.`,
  plan: `I will read src/part${at}.ts.`,
  calls: [0, 1].slice(0, at % 3 === 1 ? 2 : 1).map((which) => {
    const path = `src/part${at}${which === 0 ? "" : ".test"}.ts`;
    return { id: `call_${at}_${which}`, name: "read", input: { path }, output: output(path, at) };
  }),
  reply: `Part ${at} loads ${at * 1000} values and gives them on.`,
}));

const SYSTEM = "You are a careful engineer.";
const time = (at: number) => `2026-03-01T10:${String(at).padStart(2, "0")}:00.000Z`;
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const text = (words: string) => ({ type: "text", text: words });

/** With an old branch that was rewound, a sub-agent's lines, thinking, and one reply in several lines. */
function claudeCode(): string {
  const written: Record<string, unknown>[] = [{ type: "summary", summary: "Parts", leafUuid: "u-9-4" }];
  let parentUuid: string | null = null;
  const add = (uuid: string, fields: Record<string, unknown>, parent = parentUuid) => {
    written.push({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: "/w",
      sessionId: "s",
      version: "2.1.0",
      ...fields,
      uuid,
      timestamp: time(written.length % 60),
    });
    parentUuid = uuid;
  };
  const user = (content: unknown) => ({ type: "user", message: { role: "user", content } });
  const reply = (id: string, block: unknown) => ({
    type: "assistant",
    message: { id, type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [block] },
  });
  add("r-1", user("A question that was taken back."));
  add("r-2", reply("m-r", text("An answer that was taken back.")));
  parentUuid = null;
  turns.forEach(({ ask, thought, plan, calls, reply: answer }, at) => {
    add(`u-${at}-0`, user(ask));
    add(`u-${at}-1`, reply(`m-${at}`, { type: "thinking", thinking: thought, signature: "c2ln" }));
    add(`u-${at}-2`, reply(`m-${at}`, text(plan)));
    for (const { id, name, input } of calls)
      add(`u-${at}-${id}`, reply(`m-${at}`, { type: "tool_use", id, name, input }));
    written.push({
      parentUuid: null,
      isSidechain: true,
      type: "user",
      message: { role: "user", content: "sub-agent" },
      uuid: `side-${at}`,
      sessionId: "s",
      timestamp: time(at),
    });
    for (const { id, output: words } of calls) {
      add(
        `u-${at}-r${id}`,
        {
          ...user([{ tool_use_id: id, type: "tool_result", content: words }]),
          toolUseResult: { stdout: words },
        },
        `u-${at}-${id}`,
      );
    }
    add(`u-${at}-4`, reply(`m-${at}-end`, text(answer)));
  });
  return lines(written);
}

const responseItems = () =>
  turns.flatMap(({ ask, plan, calls, reply }) => [
    { type: "message", role: "user", content: [{ type: "input_text", text: ask }] },
    { type: "reasoning", summary: [], encrypted_content: "c2VjcmV0" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: plan }] },
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      name,
      arguments: JSON.stringify(input),
      call_id: id,
    })),
    ...calls.map(({ id, output: words }) => ({ type: "function_call_output", call_id: id, output: words })),
    { type: "message", role: "assistant", content: [{ type: "output_text", text: reply }] },
  ]);

function codexRollout(): string {
  return lines([
    {
      timestamp: time(0),
      type: "session_meta",
      payload: { id: "s", cwd: "/w", base_instructions: { text: SYSTEM } },
    },
    { timestamp: time(0), type: "turn_context", payload: { model: "gpt-5.1-codex", cwd: "/w" } },
    ...responseItems().flatMap((payload, at) => [
      { timestamp: time(at % 60), type: "response_item", payload },
      { timestamp: time(at % 60), type: "event_msg", payload: { type: "token_count", info: null } },
    ]),
  ]);
}

function codexTuiLog(): string {
  const event = (msg: unknown) => ({
    ts: time(1),
    dir: "to_tui",
    kind: "codex_event",
    payload: { id: "1", msg },
  });
  return lines([
    { ts: time(0), dir: "meta", kind: "session_start", cwd: "/w", model: "gpt-5-codex" },
    event({ type: "session_configured", session_id: "s", model: "gpt-5-codex" }),
    ...turns.flatMap(({ ask, thought, plan, calls, reply }) => [
      { ts: time(1), dir: "from_tui", kind: "op", payload: { type: "user_input", items: [text(ask)] } },
      event({ type: "agent_reasoning", text: thought }),
      event({ type: "agent_message_delta", delta: "I" }),
      event({ type: "agent_message", message: plan }),
      ...calls.flatMap(({ id, input, output: words }) => [
        event({ type: "exec_command_begin", call_id: id, command: ["cat", input.path], cwd: "/w" }),
        event({ type: "exec_command_end", call_id: id, stdout: words, stderr: "", exit_code: 0 }),
      ]),
      event({ type: "agent_message", message: reply }),
    ]),
    { ts: time(9), dir: "meta", kind: "session_end" },
  ]);
}

/** A tree of ids, with a branch that was left; older sessions are a list without ids. */
function pi(isTree: boolean): string {
  const entries: Record<string, unknown>[] = [];
  let parentId: string | null = null;
  const add = (fields: Record<string, unknown>) => {
    const id = `e${String(entries.length).padStart(7, "0")}`;
    entries.push({ ...fields, ...(isTree && { id, parentId }), timestamp: time(entries.length % 60) });
    parentId = id;
  };
  const message = (fields: Record<string, unknown>) => add({ type: "message", message: fields });
  if (isTree) message({ role: "user", content: "A question that was taken back." });
  parentId = null;
  for (const { ask, thought, plan, calls, reply } of turns) {
    message({ role: "user", content: [text(ask)] });
    const content = [
      { type: "thinking", thinking: thought, thinkingSignature: "c2ln" },
      text(plan),
      ...calls.map(({ id, name, input }) => ({ type: "toolCall", id, name, arguments: input })),
    ];
    message({
      role: "assistant",
      content,
      model: "claude-opus-4-5",
      provider: "anthropic",
      stopReason: "toolUse",
    });
    for (const { id, name, output: words } of calls) {
      message({ role: "toolResult", toolCallId: id, toolName: name, content: [text(words)], isError: false });
    }
    message({
      role: "assistant",
      content: [text(reply)],
      model: "claude-opus-4-5",
      provider: "anthropic",
      stopReason: "stop",
    });
  }
  return lines([
    { type: "session", ...(isTree && { version: 3 }), id: "s", timestamp: time(0), cwd: "/w" },
    ...entries,
  ]);
}

function copilotCli(): string {
  let parentId: string | null = null;
  const event = (type: string, data: unknown) => {
    const id: string = `ev-${parentId === null ? 0 : Number(parentId.slice(3)) + 1}`;
    const whole = { type, data, id, timestamp: time(1), parentId };
    parentId = id;
    return whole;
  };
  return lines([
    event("session.start", { sessionId: "s", version: 1 }),
    event("session.model_change", { newModel: "claude-sonnet-4.6" }),
    event("system.message", { role: "system", content: SYSTEM }),
    ...turns.flatMap(({ ask, thought, plan, calls, reply }) => [
      event("user.message", { content: ask, transformedContent: `<now/>\n\n${ask}`, attachments: [] }),
      event("assistant.turn_start", { turnId: "0" }),
      event("assistant.message", {
        content: plan,
        reasoningText: thought,
        reasoningOpaque: "c2ln",
        toolRequests: calls.map(({ id, name, input }) => ({
          toolCallId: id,
          name,
          arguments: input,
          type: "function",
        })),
      }),
      ...calls.flatMap(({ id, name, input, output: words }) => [
        event("tool.execution_start", { toolCallId: id, toolName: name, arguments: input }),
        event("tool.execution_complete", {
          toolCallId: id,
          success: true,
          result: { content: words, detailedContent: words },
        }),
      ]),
      event("assistant.message", { content: reply, toolRequests: [] }),
      event("assistant.turn_end", { turnId: "0" }),
    ]),
  ]);
}

function copilotChat(): string {
  const part = (words: string) => ({ type: 1, text: words });
  const messages = [
    { role: 0, content: [part(SYSTEM)] },
    ...turns.flatMap(({ ask, plan, calls, reply }) => [
      { role: 1, content: [part(ask), { type: 3, cacheType: "ephemeral" }] },
      {
        role: 2,
        content: [part(plan)],
        toolCalls: calls.map(({ id, name, input }) => ({
          function: { name, arguments: JSON.stringify(input) },
          id,
          type: "function",
        })),
      },
      ...calls.map(({ id, output: words }) => ({ role: 3, content: [part(words)], toolCallId: id })),
      { role: 2, content: [part(reply)] },
    ]),
  ];
  const request = {
    id: "r",
    kind: "request",
    metadata: { model: "claude-sonnet-4.5" },
    requestMessages: { messages },
    response: { type: "success", message: ["Done."] },
  };
  return pretty({
    exportedAt: time(0),
    totalPrompts: 1,
    prompts: [{ prompt: turns[0]!.ask, logs: [{ id: "e", kind: "element" }, request] }],
  });
}

function openInference(): string {
  const attributes: Record<string, string> = { "input.mime_type": "application/json" };
  let number = 0;
  const add = (role: string, content: string) => {
    attributes[`llm.input_messages.${number}.message.content`] = content;
    attributes[`llm.input_messages.${number++}.message.role`] = role;
  };
  add("system", SYSTEM);
  for (const { ask, plan, calls, reply } of turns) {
    add("user", ask);
    add("assistant", plan);
    for (const { id, name, output: words } of calls) {
      add(
        "tool-call",
        `Calling tools:\n[{'id': '${id}', 'type': 'function', 'function': {'name': '${name}'}}]`,
      );
      add("tool-response", `Call id: ${id}\nObservation:\n${words}`);
    }
    add("assistant", reply);
  }
  const span = {
    span_name: "model",
    span_attributes: { ...attributes, "llm.model_name": "o3-mini", "openinference.span.kind": "LLM" },
    child_spans: [],
  };
  return JSON.stringify(
    { trace_id: "t", spans: [{ span_name: "main", span_attributes: {}, child_spans: [span] }] },
    null,
    4,
  );
}

const chatMessages = () => [
  { role: "system", content: SYSTEM },
  ...turns.flatMap(({ ask, plan, calls, reply }) => [
    { role: "user", content: ask },
    {
      role: "assistant",
      content: plan,
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      })),
    },
    ...calls.map(({ id, output: words }) => ({ role: "tool", tool_call_id: id, content: words })),
    { role: "assistant", content: reply },
  ]),
];

const anthropicList = () =>
  turns.flatMap(({ ask, thought, plan, calls, reply }) => [
    { role: "user", content: [text(ask)] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: thought, signature: "c2ln" },
        text(plan),
        ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      ],
    },
    {
      role: "user",
      content: calls.map(({ id, output: words }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: words,
      })),
    },
    { role: "assistant", content: [text(reply)] },
  ]);

function sweAgent(): string {
  const history = chatMessages().map((message) =>
    "tool_call_id" in message
      ? {
          message_type: "observation",
          role: "tool",
          content: message.content,
          agent: "main",
          tool_call_ids: [message.tool_call_id],
        }
      : { ...message, agent: "main" },
  );
  return pretty({ environment: "main", trajectory: [{ action: "ls", observation: "a" }], history, info: {} });
}

/** Older trajectories: the action in the text, the observation as the user's message. */
function sweAgentText(): string {
  const history = [
    { role: "system", content: SYSTEM, agent: "primary" },
    { role: "user", content: "Fix the loader. Do not touch the tests.", agent: "primary" },
    ...turns.flatMap(({ plan, calls }) =>
      calls.flatMap(({ input, output: words }) => [
        {
          role: "assistant",
          content: `${plan}\n\`\`\`\nopen ${input.path}\n\`\`\``,
          thought: plan,
          action: `open ${input.path}\n`,
          agent: "primary",
        },
        { role: "user", content: words, agent: "primary" },
      ]),
    ),
  ];
  return pretty({ environment: "swe_main", trajectory: [], history, info: {} });
}

function openCode(): string {
  let number = 0;
  const message = (role: string, parts: Record<string, unknown>[]) => {
    const id = `msg_${String(number++).padStart(4, "0")}`;
    return {
      info: {
        id,
        role,
        sessionID: "ses_1",
        time: { created: number },
        ...(role === "assistant" && { modelID: "claude-sonnet-4-5", finish: "stop" }),
      },
      parts: parts.map((part, at) => ({
        id: `prt_${number}_${at}`,
        sessionID: "ses_1",
        messageID: id,
        ...part,
      })),
    };
  };
  const messages = turns.flatMap(({ ask, thought, plan, calls, reply }) => [
    message("user", [text(ask)]),
    message("assistant", [
      { type: "step-start" },
      { type: "reasoning", text: thought },
      text(plan),
      ...calls.map(({ id, name, input, output: words }) => ({
        type: "tool",
        callID: id,
        tool: name,
        state: {
          status: "completed",
          input,
          output: words,
          title: input.path,
          metadata: {},
          time: { start: 1, end: 2 },
        },
      })),
      { type: "step-finish", reason: "tool-calls" },
    ]),
    message("assistant", [text(reply)]),
  ]);
  return pretty({ info: { id: "ses_1", version: "1.0.0", title: "Parts" }, messages });
}

const geminiMessages = () =>
  turns.flatMap(({ ask, thought, plan, calls, reply }, at) => [
    { id: `g${at}-0`, timestamp: time(at), type: "user", content: [{ text: ask }] },
    { id: `g${at}-i`, timestamp: time(at), type: "info", content: "Loaded." },
    {
      id: `g${at}-1`,
      timestamp: time(at),
      type: "gemini",
      content: plan,
      thoughts: [{ subject: "Reading", description: thought, timestamp: time(at) }],
      toolCalls: calls.map(({ id, name, input, output: words }) => ({
        id,
        name,
        args: input,
        result: [{ functionResponse: { id, name, response: { output: words } } }],
        status: "success",
        timestamp: time(at),
      })),
      model: "gemini-2.5-pro",
    },
    { id: `g${at}-2`, timestamp: time(at), type: "gemini", content: reply, model: "gemini-2.5-pro" },
  ]);

const geminiHeader = { sessionId: "s", projectHash: "h", startTime: time(0), lastUpdated: time(9) };

function geminiCheckpoint(): string {
  return pretty(
    turns.flatMap(({ ask, plan, calls, reply }) => [
      { role: "user", parts: [{ text: ask }] },
      {
        role: "model",
        parts: [
          { text: plan },
          ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
        ],
      },
      {
        role: "user",
        parts: calls.map(({ id, name, output: words }) => ({
          functionResponse: { id, name, response: { output: words } },
        })),
      },
      { role: "model", parts: [{ text: reply }] },
    ]),
  );
}

/** Newest first, as the API lists them. */
function openAIAssistants(): string {
  let count = 0;
  // Two entries in each second: their order is that of the list.
  const stamp = () => ({ created_at: 1_700_000_000 + Math.floor(++count / 2) });
  const message = (role: string, value: string) => ({
    id: `msg_${count}`,
    object: "thread.message",
    ...stamp(),
    thread_id: "thread_1",
    role,
    content: [{ type: "text", text: { value, annotations: [] } }],
  });
  const data = turns.flatMap(({ ask, calls, reply }) => [
    message("user", ask),
    {
      id: `step_${count}`,
      object: "thread.run.step",
      ...stamp(),
      step_details: {
        type: "tool_calls",
        tool_calls: calls.map(({ id, name, input, output: words }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input), output: words },
        })),
      },
    },
    message("assistant", reply),
  ]);
  return pretty({ object: "list", data: data.reverse(), has_more: false });
}

function openHands(): string {
  let id = -1;
  const event = (fields: Record<string, unknown>) => ({ id: ++id, timestamp: time(id % 60), ...fields });
  const events: Record<string, unknown>[] = [
    event({ source: "agent", message: SYSTEM, action: "system", args: { content: SYSTEM, tools: [] } }),
  ];
  for (const { ask, plan, calls, reply } of turns) {
    events.push(
      event({
        source: "user",
        message: ask,
        action: "message",
        args: { content: ask, image_urls: null, wait_for_response: false },
      }),
    );
    const response = {
      id: `gen-${id}`,
      model: "claude-sonnet-4",
      choices: [
        {
          message: {
            role: "assistant",
            content: plan,
            tool_calls: calls.map(({ id: call, name, input }) => ({
              id: call,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            })),
          },
        },
      ],
    };
    for (const { id: call, name, input, output: words } of calls) {
      const metadata = {
        function_name: name,
        tool_call_id: call,
        model_response: response,
        total_calls_in_response: calls.length,
      };
      const action = event({
        source: "agent",
        message: "Reading",
        action: "read",
        args: { path: input.path, thought: plan },
        tool_call_metadata: metadata,
      });
      events.push(
        action,
        event({
          source: "agent",
          message: "Read",
          cause: action.id,
          observation: "read",
          content: words,
          extras: {},
          tool_call_metadata: metadata,
        }),
      );
    }
    events.push(
      event({
        source: "agent",
        message: reply,
        action: "message",
        args: { content: reply, wait_for_response: true },
      }),
    );
    events.push(
      event({
        source: "environment",
        message: "",
        observation: "agent_state_changed",
        content: "",
        extras: {},
      }),
    );
  }
  return lines(events);
}

function openHandsSdk(): string {
  const message = (role: string, words: string) => ({
    kind: "MessageEvent",
    source: role === "user" ? "user" : "agent",
    llm_message: { role, content: [text(words)] },
  });
  const events = turns.flatMap(({ ask, thought, plan, calls, reply }) => [
    message("user", ask),
    ...calls.map(({ id, name, input }) => ({
      kind: "ActionEvent",
      source: "agent",
      thought: [text(plan)],
      reasoning_content: thought,
      thinking_blocks: [],
      action: { kind: "ReadAction", ...input },
      tool_name: name,
      tool_call_id: id,
      tool_call: { id, name, arguments: JSON.stringify(input), origin: "completion" },
      llm_response_id: `r-${calls[0]!.id}`,
    })),
    ...calls.map(({ id, name, output: words }) => ({
      kind: "ObservationEvent",
      source: "environment",
      tool_name: name,
      tool_call_id: id,
      action_id: "a",
      observation: { kind: "ReadObservation", content: [text(words)], is_error: false },
    })),
    message("assistant", reply),
  ]);
  const system = { kind: "SystemPromptEvent", source: "agent", system_prompt: text(SYSTEM), tools: [] };
  return lines(
    [system, ...events].map((event, at) => ({ id: `00-${at}`, timestamp: time(at % 60), ...event })),
  );
}

function aiSdkUi(): string {
  return pretty(
    turns.flatMap(({ ask, thought, plan, calls, reply }, at) => [
      { id: `u${at}`, role: "user", parts: [text(ask)] },
      {
        id: `a${at}`,
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "reasoning", text: thought },
          text(plan),
          ...calls.map(({ id, name, input, output: words }) => ({
            type: `tool-${name}`,
            toolCallId: id,
            state: "output-available",
            input,
            output: words,
          })),
          { type: "step-start" },
          text(reply),
        ],
      },
    ]),
  );
}

function aiSdkModel(): string {
  return pretty([
    { role: "system", content: SYSTEM },
    ...turns.flatMap(({ ask, thought, plan, calls, reply }) => [
      { role: "user", content: [text(ask)] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: thought },
          text(plan),
          ...calls.map(({ id, name, input }) => ({
            type: "tool-call",
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      },
      {
        role: "tool",
        content: calls.map(({ id, name, output: words }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: "text", value: words },
        })),
      },
      { role: "assistant", content: reply },
    ]),
  ]);
}

function langChain(form: "constructor" | "dict" | "plain"): string {
  const message = (type: string, name: string, fields: Record<string, unknown>) => {
    if (form === "constructor")
      return {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", name],
        kwargs: { ...fields, additional_kwargs: {} },
      };
    return form === "dict" ? { type, data: { ...fields, type } } : { type, ...fields };
  };
  return pretty([
    message("system", "SystemMessage", { content: SYSTEM }),
    ...turns.flatMap(({ ask, plan, calls, reply }) => [
      message("human", "HumanMessage", { content: ask }),
      message("ai", "AIMessage", {
        content: plan,
        tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input, type: "tool_call" })),
      }),
      ...calls.map(({ id, output: words }) =>
        message("tool", "ToolMessage", { content: words, tool_call_id: id, status: "success" }),
      ),
      message("ai", "AIMessage", { content: reply, tool_calls: [] }),
    ]),
  ]);
}

/** Tools are called by code blocks; what they answer is said by the system. */
function gptme(): string {
  return lines([
    { role: "system", content: SYSTEM, timestamp: time(0), pinned: true },
    ...turns.flatMap(({ ask, plan, calls, reply }, at) => [
      { role: "user", content: ask, timestamp: time(at) },
      ...calls.flatMap(({ input, output: words }) => [
        {
          role: "assistant",
          content: `${plan}\n\n\`\`\`shell\ncat ${input.path}\n\`\`\``,
          timestamp: time(at),
          metadata: { model: "claude-sonnet-4-5" },
        },
        { role: "system", content: `Ran command:\n\n${words}`, timestamp: time(at) },
      ]),
      { role: "assistant", content: reply, timestamp: time(at) },
    ]),
  ]);
}

function aider(): string {
  const said = turns.map(({ ask, calls, reply }) => {
    const shown = calls.flatMap(({ output: words }) => words.split("\n")).map((line) => `> ${line}  `);
    return `#### ${ask}  \n${shown.join("\n")}\n\n${reply}\n\n`;
  });
  return `\n# aider chat started at 2026-03-01 10:00:00\n\n> Aider v0.80  \n\n${said.join("")}`;
}

function markdownChat(): string {
  return `# A chat\n\n${turns.map(({ ask, calls, reply }) => `## User\n\n${ask}\n\n## Assistant\n\n\`\`\`ts\n${calls[0]!.output}\n\`\`\`\n\n${reply}\n\n`).join("")}`;
}

export interface Script {
  readonly name: string;
  readonly format: string;
  readonly text: string;
}

export const scripts: readonly Script[] = [
  { name: "Claude Code", format: "claude-code", text: claudeCode() },
  { name: "Codex rollout", format: "codex-rollout", text: codexRollout() },
  { name: "Codex terminal log", format: "codex-tui-log", text: codexTuiLog() },
  { name: "pi, a tree", format: "pi", text: pi(true) },
  { name: "pi, a list", format: "pi", text: pi(false) },
  { name: "Copilot CLI", format: "copilot-cli", text: copilotCli() },
  { name: "Copilot Chat", format: "copilot-chat", text: copilotChat() },
  { name: "OpenInference", format: "openinference", text: openInference() },
  { name: "SWE-agent with tool calls", format: "swe-agent", text: sweAgent() },
  { name: "SWE-agent with actions in the text", format: "swe-agent", text: sweAgentText() },
  { name: "opencode", format: "opencode", text: openCode() },
  {
    name: "Gemini CLI, a document",
    format: "gemini-cli",
    text: pretty({ ...geminiHeader, messages: geminiMessages() }),
  },
  { name: "Gemini CLI, lines", format: "gemini-cli", text: lines([geminiHeader, ...geminiMessages()]) },
  { name: "Gemini CLI, a checkpoint", format: "gemini-cli", text: geminiCheckpoint() },
  { name: "OpenAI Assistants", format: "openai-assistants", text: openAIAssistants() },
  {
    name: "Cline",
    format: "cline",
    text: pretty({
      version: 1,
      sessionId: "s",
      agent: "lead",
      messages: anthropicList(),
      system_prompt: SYSTEM,
    }),
  },
  {
    name: "Cline, a bare list",
    format: "cline",
    text: pretty(anthropicList().map((message, ts) => ({ ...message, ts }))),
  },
  { name: "OpenHands", format: "openhands", text: openHands() },
  { name: "OpenHands SDK", format: "openhands", text: openHandsSdk() },
  { name: "AI SDK UI messages", format: "ai-sdk-ui", text: aiSdkUi() },
  { name: "AI SDK model messages", format: "ai-sdk-model", text: aiSdkModel() },
  { name: "LangChain, serialised", format: "langchain", text: langChain("constructor") },
  { name: "LangChain, dictionaries", format: "langchain", text: langChain("dict") },
  { name: "LangChain, plain", format: "langchain", text: langChain("plain") },
  { name: "OpenAI Responses, a list", format: "openai-responses", text: pretty(responseItems()) },
  {
    name: "OpenAI Responses, a response",
    format: "openai-responses",
    text: JSON.stringify({
      object: "response",
      model: "gpt-5.1",
      instructions: SYSTEM,
      input: responseItems().slice(0, -1),
      output: responseItems().slice(-1),
    }),
  },
  { name: "gptme", format: "gptme", text: gptme() },
  { name: "aider", format: "aider", text: aider() },
  {
    name: "OpenAI chat",
    format: "openai-chat",
    text: pretty({ model: "gpt-5.1", messages: chatMessages() }),
  },
  { name: "OpenAI chat, a bare list", format: "openai-chat", text: JSON.stringify(chatMessages()) },
  {
    name: "Anthropic",
    format: "anthropic-messages",
    text: pretty({ model: "claude-sonnet-4-5", system: SYSTEM, messages: anthropicList() }),
  },
  { name: "plain Markdown", format: "markdown-chat", text: markdownChat() },
];
