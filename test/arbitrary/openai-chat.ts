/** openai-chat, generated: pieces of any body, and turns that the API takes. */
import fc from "fast-check";
import {
  answering,
  answersTo,
  callArguments,
  oddValue,
  type Piece,
  type Pieces,
  role,
  toolName,
  type Wire,
} from "./pieces.ts";
import { manyLines, output, text } from "./texts.ts";
import type { Call, Turn } from "./turn.ts";

const openaiContent = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        text.map((said) => ({ type: "text", text: said })),
        fc.constantFrom<unknown>(
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "image_url", image_url: { url: "https://example.org/a.png", detail: "low" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "hologram", payload: { depth: 3 } },
          { type: "hologram", text: manyLines(900, (n) => `layer ${n}`) },
          "bare string",
          null,
        ),
      ),
      { maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: oddValue },
);

const openaiThinking = fc.constantFrom<Wire>(
  {},
  {},
  { reasoning_content: "Hmm, wait. Actually I am not sure. ".repeat(30) },
  { reasoning_details: [{ type: "reasoning.encrypted", data: "c2VhbGVk" }] },
  { thinking_blocks: [{ type: "thinking", thinking: "Perhaps. ".repeat(20), signature: "sig" }] },
);

export const openaiPieces: Pieces = {
  plain: fc.tuple(role, openaiContent, openaiThinking).map(
    ([speaker, content, thinking]): Piece =>
      () => [{ role: speaker, content, ...(speaker === "assistant" ? thinking : {}) }],
  ),
  calling: fc
    .record({
      said: fc.oneof(fc.constantFrom<unknown>(null, "", undefined), text),
      calls: fc.array(fc.tuple(toolName, callArguments, fc.boolean()), { minLength: 1, maxLength: 4 }),
      thinking: openaiThinking,
      how: answering,
      outputs: fc.array(fc.oneof({ weight: 8, arbitrary: output }, { weight: 1, arbitrary: openaiContent }), {
        minLength: 5,
        maxLength: 5,
      }),
    })
    .map(
      ({ said, calls, thinking, how, outputs }): Piece =>
        (n) => {
          const ids = calls.map((_, at) => `call_${n}_${at}`);
          return [
            {
              role: "assistant",
              ...(said === undefined ? {} : { content: said }),
              ...thinking,
              tool_calls: calls.map(([name, given, broken], at) => ({
                id: ids[at],
                type: "function",
                function: { name, arguments: broken ? `${JSON.stringify(given)}!` : JSON.stringify(given) },
              })),
            },
            ...answersTo(ids, how).map((id, at) => ({
              role: "tool",
              tool_call_id: id,
              content: outputs[at],
            })),
          ];
        },
    ),
  odd: fc.oneof(
    output.map(
      (content): Piece =>
        (n) => [{ role: "tool", tool_call_id: `orphan_${n}`, content }],
    ),
    output.map(
      (content): Piece =>
        () => [{ role: "tool", content }],
    ),
    oddValue.map(
      (value): Piece =>
        () => [{ role: "assistant", content: null, tool_calls: value }],
    ),
    callArguments.map(
      (given): Piece =>
        () => [
          {
            role: "assistant",
            content: null,
            function_call: { name: "old", arguments: JSON.stringify(given) },
          },
          { role: "function", name: "old", content: "legacy answer" },
        ],
    ),
    fc.constantFrom<Piece>(
      () => [{}],
      () => [{ role: "user" }],
      () => [{ content: "no role" }],
      () => [{ role: "assistant", content: null, refusal: "I cannot help with that." }],
      () => [{ role: "user", content: "named", name: "ann", custom_key: { kept: true } }],
    ),
  ),
};

/** A turn as the API takes it. */
export function openaiTurn({ asked, picture, steps, answer }: Turn, n: number): readonly Wire[] {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  return [
    { role: "user", content: picture ? [{ type: "text", text: asked }, image] : asked },
    ...steps.flatMap(({ said, calls, thinks }, step) => [
      {
        role: "assistant",
        content: said === "" ? null : said,
        ...(thinks && thoughts[step % thoughts.length]),
        tool_calls: calls.map((call, at) => callOf(call, `call_${n}_${step}_${at}`)),
      },
      ...calls.map((call, at) => ({
        role: "tool",
        tool_call_id: `call_${n}_${step}_${at}`,
        content: call.inBlocks ? [{ type: "text", text: call.output }] : call.output,
      })),
    ]),
    { role: "assistant", content: answer },
  ];
}

function callOf({ name, input, isCustom }: Call, id: string): Wire {
  if (isCustom) return { id, type: "custom", custom: { name, input: JSON.stringify(input) } };
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

const thoughts: readonly Wire[] = [
  { reasoning_content: "Hmm, wait. Perhaps not. ".repeat(20) },
  { reasoning_details: [{ type: "reasoning.text", text: "Perhaps. ".repeat(20), signature: "c2ln" }] },
  { thinking_blocks: [{ type: "thinking", thinking: "Perhaps. ".repeat(20), signature: "c2ln" }] },
];
