/** The three model APIs as a client and as a provider speak them, for tests of the gateway. */
import { wireFaults } from "./wire-faults.ts";

export type Json = Record<string, unknown>;

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What the model says in one answer. */
export interface Said {
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface Wire {
  readonly name: "chat" | "messages" | "responses";
  readonly path: string;
  /** Under which key a body has its messages. */
  readonly key: "messages" | "input";
  readonly user: (text: string) => Json;
  readonly results: (answers: readonly { readonly call: Call; readonly text: string }[]) => readonly Json[];
  readonly body: (messages: readonly Json[], extra?: Json) => Json;
  /** A provider's answer: JSON, or the events of a stream. */
  readonly answer: (said: Said, id: string) => Json;
  readonly events: (said: Said, id: string) => readonly string[];
  /** What a client adds to its history. */
  readonly heard: (answer: Json) => readonly Json[];
  /** The same from a stream: an independent, plain reading of it. */
  readonly assembled: (stream: string) => Json;
  readonly saidIn: (answer: Json) => Said;
  readonly faults: (body: Json) => readonly string[];
}

const event = (data: Json): string =>
  `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
const pieces = (text: string, size = 17): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, at * size + size));
const dataOf = (stream: string): readonly Json[] =>
  stream
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6)) as Json] : []));

const chat: Wire = {
  name: "chat",
  path: "/v1/chat/completions",
  key: "messages",
  user: (text) => ({ role: "user", content: text }),
  results: (answers) =>
    answers.map(({ call, text }) => ({ role: "tool", tool_call_id: call.id, content: text })),
  body: (messages, extra = {}) => ({
    model: "some-model",
    ...extra,
    messages: [{ role: "system", content: "You are a careful agent." }, ...messages],
  }),
  answer: ({ text, calls }, id) => ({
    id,
    object: "chat.completion",
    created: 1,
    model: "some-model",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text || null,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, ...made }) => ({ id, type: "function", function: made })),
          }),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  }),
  events: ({ text, calls }, id) => {
    const chunk = (delta: Json, finish: string | null = null) =>
      event({
        id,
        object: "chat.completion.chunk",
        created: 1,
        model: "some-model",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(text).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
          ],
        }),
        ...pieces(call.arguments).map((part) =>
          chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
        ),
      ]),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      event({
        id,
        object: "chat.completion.chunk",
        created: 1,
        model: "some-model",
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      }),
      "data: [DONE]\n\n",
    ];
  },
  heard: (answer) => [(answer.choices as Json[])[0]!.message as Json],
  assembled: (stream) => {
    let content = "";
    let finish: unknown = null;
    let usage: unknown;
    const calls: Json[] = [];
    for (const data of dataOf(stream)) {
      usage = data.usage ?? usage;
      const [choice] = data.choices as Json[];
      if (!choice) continue;
      finish = choice.finish_reason ?? finish;
      const delta = choice.delta as Json;
      content += delta.content ?? "";
      for (const part of (delta.tool_calls ?? []) as Json[]) {
        const made = part.function as Json;
        const known = calls[part.index as number];
        if (known) (known.function as Json).arguments += String(made.arguments ?? "");
        else calls[part.index as number] = { id: part.id, type: "function", function: { ...made } };
      }
    }
    const message = {
      role: "assistant",
      content: content || null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return { choices: [{ index: 0, message, finish_reason: finish }], usage };
  },
  saidIn: (answer) => {
    const message = (answer.choices as Json[])[0]!.message as Json;
    const calls = ((message.tool_calls ?? []) as Json[]).map((call) => ({
      id: String(call.id),
      ...(call.function as { name: string; arguments: string }),
    }));
    return { text: String(message.content ?? ""), calls };
  },
  faults: (body) => wireFaults("openai-chat", body),
};

const messages: Wire = {
  name: "messages",
  path: "/v1/messages",
  key: "messages",
  user: (text) => ({ role: "user", content: text }),
  results: (answers) => [
    {
      role: "user",
      content: answers.map(({ call, text }) => ({
        type: "tool_result",
        tool_use_id: call.id,
        content: text,
      })),
    },
  ],
  body: (list, extra = {}) => ({
    model: "some-model",
    max_tokens: 1_000,
    system: "You are a careful agent.",
    ...extra,
    messages: list,
  }),
  answer: ({ text, calls }, id) => ({
    id,
    type: "message",
    role: "assistant",
    model: "some-model",
    content: [
      ...(text ? [{ type: "text", text }] : []),
      ...calls.map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 10 },
  }),
  events: ({ text, calls }, id) => [
    event({
      type: "message_start",
      message: {
        id,
        type: "message",
        role: "assistant",
        model: "some-model",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    }),
    event({ type: "ping" }),
    ...(text
      ? [
          event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
          ...pieces(text).map((piece) =>
            event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
          ),
          event({ type: "content_block_stop", index: 0 }),
        ]
      : []),
    ...calls.flatMap((call, at) => {
      const index = at + (text ? 1 : 0);
      return [
        event({
          type: "content_block_start",
          index,
          content_block: { type: "tool_use", id: call.id, name: call.name, input: {} },
        }),
        ...pieces(call.arguments).map((part) =>
          event({
            type: "content_block_delta",
            index,
            delta: { type: "input_json_delta", partial_json: part },
          }),
        ),
        event({ type: "content_block_stop", index }),
      ];
    }),
    event({
      type: "message_delta",
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 10 },
    }),
    event({ type: "message_stop" }),
  ],
  heard: ({ content }) => [{ role: "assistant", content }],
  assembled: (stream) => {
    const answer: Json = {};
    const content: Json[] = [];
    const inputs = new Map<number, string>();
    for (const data of dataOf(stream)) {
      const index = data.index as number;
      const delta = data.delta as Json;
      if (data.type === "message_start")
        Object.assign(answer, data.message, { starts: Number(answer.starts ?? 0) + 1 });
      if (data.type === "content_block_start") {
        if (content.length !== index) throw new Error(`block ${index} after ${content.length}`);
        content.push({ ...(data.content_block as Json) });
      }
      if (data.type === "content_block_delta") {
        if (delta.type === "text_delta") content[index]!.text += String(delta.text);
        else inputs.set(index, (inputs.get(index) ?? "") + String(delta.partial_json));
      }
      if (data.type === "message_delta") {
        Object.assign(answer, delta, { usage: { ...(answer.usage as Json), ...(data.usage as Json) } });
      }
    }
    for (const [index, text] of inputs) content[index]!.input = JSON.parse(text || "{}");
    return { ...answer, content };
  },
  saidIn: ({ content }) => {
    const blocks = content as Json[];
    const calls = blocks.flatMap((block) =>
      block.type === "tool_use"
        ? [{ id: String(block.id), name: String(block.name), arguments: JSON.stringify(block.input) }]
        : [],
    );
    return { text: blocks.map((block) => block.text ?? "").join(""), calls };
  },
  faults: (body) => wireFaults("anthropic-messages", body),
};

const responses: Wire = {
  name: "responses",
  path: "/v1/responses",
  key: "input",
  user: (text) => ({ role: "user", content: [{ type: "input_text", text }] }),
  results: (answers) =>
    answers.map(({ call, text }) => ({ type: "function_call_output", call_id: call.id, output: text })),
  body: (list, extra = {}) => ({
    model: "some-model",
    instructions: "You are a careful agent.",
    store: false,
    ...extra,
    input: list,
  }),
  answer: ({ text, calls }, id) => ({
    id,
    object: "response",
    created_at: 1,
    status: "completed",
    model: "some-model",
    output: [
      ...(text
        ? [
            {
              type: "message",
              id: `${id}m`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text, annotations: [] }],
            },
          ]
        : []),
      ...calls.map((call) => ({
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
        status: "completed",
      })),
    ],
    usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  }),
  events: (said, id) => {
    const final = responses.answer(said, id);
    let number = 0;
    const numbered = (data: Json): string => event({ ...data, sequence_number: number++ });
    const { output, usage: _, ...shell } = final;
    const begun = { ...shell, status: "in_progress", output: [] };
    return [
      numbered({ type: "response.created", response: begun }),
      numbered({ type: "response.in_progress", response: begun }),
      ...(output as Json[]).flatMap((item, index) => {
        const place = { output_index: index, item_id: item.id };
        if (item.type === "function_call") {
          return [
            numbered({
              type: "response.output_item.added",
              output_index: index,
              item: { ...item, arguments: "", status: "in_progress" },
            }),
            ...pieces(String(item.arguments)).map((delta) =>
              numbered({ type: "response.function_call_arguments.delta", ...place, delta }),
            ),
            numbered({ type: "response.function_call_arguments.done", ...place, arguments: item.arguments }),
            numbered({ type: "response.output_item.done", output_index: index, item }),
          ];
        }
        const part = (item.content as Json[])[0]!;
        return [
          numbered({
            type: "response.output_item.added",
            output_index: index,
            item: { ...item, content: [], status: "in_progress" },
          }),
          numbered({
            type: "response.content_part.added",
            ...place,
            content_index: 0,
            part: { ...part, text: "" },
          }),
          ...pieces(String(part.text)).map((delta) =>
            numbered({ type: "response.output_text.delta", ...place, content_index: 0, delta }),
          ),
          numbered({ type: "response.output_text.done", ...place, content_index: 0, text: part.text }),
          numbered({ type: "response.content_part.done", ...place, content_index: 0, part }),
          numbered({ type: "response.output_item.done", output_index: index, item }),
        ];
      }),
      numbered({ type: "response.completed", response: final }),
    ];
  },
  heard: ({ output }) => output as Json[],
  assembled: (stream) => {
    const events = dataOf(stream);
    for (const [index, { sequence_number }] of events.entries()) {
      if (sequence_number !== index) throw new Error(`event ${index} has number ${sequence_number}`);
    }
    const items = events.filter(({ type }) => type === "response.output_item.done");
    for (const [index, { output_index }] of items.entries()) {
      if (output_index !== index) throw new Error(`item ${index} has index ${output_index}`);
    }
    const final = events.find(({ type }) => type === "response.completed")!.response as Json;
    if (JSON.stringify(final.output) !== JSON.stringify(items.map(({ item }) => item)))
      throw new Error("the items are not those of the end");
    return final;
  },
  saidIn: ({ output }) => {
    const items = output as Json[];
    const calls = items.flatMap((item) =>
      item.type === "function_call"
        ? [{ id: String(item.call_id), name: String(item.name), arguments: String(item.arguments) }]
        : [],
    );
    const texts = items.flatMap((item) => (item.type === "message" ? (item.content as Json[]) : []));
    return { text: texts.map(({ text }) => text).join(""), calls };
  },
  faults: ({ input }) => {
    const open = new Set<unknown>();
    const faults: string[] = [];
    for (const [index, item] of (input as Json[]).entries()) {
      if (item.type === "function_call") open.add(item.call_id);
      else if (item.type === "function_call_output") {
        if (!open.delete(item.call_id)) faults.push(`result without call: ${index}`);
      } else if (open.size > 0) faults.push(`call without result: before ${index}`);
    }
    return [...faults, ...(open.size > 0 ? ["call without result: at the end"] : [])];
  },
};

export const wires: readonly Wire[] = [chat, messages, responses];
