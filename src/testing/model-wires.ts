/** Wires: one answer of a model as the bodies and event streams of the two APIs that the model server speaks. */

export type Finish = "stop" | "length" | "refusal" | "tool-calls";

export interface Answer {
  readonly text: string;
  readonly finish: Finish;
  readonly cut: boolean;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface Wire {
  readonly body: (answer: Answer, model: string, usage: Usage) => unknown;
  readonly events: (answer: Answer, model: string, usage: Usage) => readonly string[];
}

export const openAIWire: Wire = {
  body: ({ text, finish }, model, usage) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...openAIWords(text, finish) },
        finish_reason: openAIReasons[finish],
      },
    ],
    usage: openAIUsage(usage),
  }),
  events: ({ text, finish }, model, usage) => {
    const chunk = (delta: unknown, finishReason: string | null): string =>
      event({
        object: "chat.completion.chunk",
        model,
        choices: [{ index: 0, delta, finish_reason: finishReason }],
      });
    return [
      ...piecesOf(text).map((piece) => chunk(openAIWords(piece, finish), null)),
      chunk({}, openAIReasons[finish]),
      event({ object: "chat.completion.chunk", model, choices: [], usage: openAIUsage(usage) }),
      "data: [DONE]\n\n",
    ];
  },
};

const openAIReasons = {
  stop: "stop",
  length: "length",
  refusal: "stop",
  "tool-calls": "tool_calls",
} as const;

function openAIWords(text: string, finish: Finish): Readonly<Record<string, unknown>> {
  if (finish === "refusal") return { content: null, refusal: text };
  const made = { id: "call_1", index: 0, type: "function", function: { name: "read", arguments: "{}" } };
  return finish === "tool-calls" ? { content: text, tool_calls: [made] } : { content: text };
}

function openAIUsage({ input, output }: Usage): Readonly<Record<string, number>> {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

const anthropicReasons = {
  stop: "end_turn",
  length: "max_tokens",
  refusal: "refusal",
  "tool-calls": "tool_use",
} as const;

export const anthropicWire: Wire = {
  body: ({ text, finish }, model, { input, output }) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...(finish === "tool-calls" ? [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] : []),
    ],
    stop_reason: anthropicReasons[finish],
    usage: { input_tokens: input, output_tokens: output },
  }),
  events: ({ text, finish }, model, { input, output }) => [
    event({
      type: "message_start",
      message: { model, content: [], usage: { input_tokens: input, output_tokens: 1 } },
    }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...piecesOf(text).map((piece) =>
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
    ),
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: { stop_reason: anthropicReasons[finish] },
      usage: { output_tokens: output },
    }),
    event({ type: "message_stop" }),
  ],
};

function event(data: { readonly type?: string; readonly [key: string]: unknown }): string {
  return `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function piecesOf(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 40) }, (_, order) =>
    text.slice(order * 40, order * 40 + 40),
  );
}
