/** anthropic-messages, generated: pieces of any body, and turns that the API takes. */
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
import { output, text, visible } from "./texts.ts";
import type { Call, Turn } from "./turn.ts";

const anthropicBlocks = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: text.map((said) => ({ type: "text", text: said })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "page" } },
        { type: "text", text: "cached", cache_control: { type: "ephemeral" } },
        { type: "hologram", payload: [1, 2, 3] },
        "bare string",
        null,
      ),
    },
  ),
  { maxLength: 3 },
);
const anthropicContent = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 4, arbitrary: anthropicBlocks },
  { weight: 1, arbitrary: oddValue },
);
const anthropicThinking = fc.constantFrom<readonly Wire[]>(
  [],
  [],
  [{ type: "thinking", thinking: "Wait, maybe not. ".repeat(30), signature: "c2ln" }],
  [{ type: "thinking", thinking: "Unsigned thought. ".repeat(30) }],
  [{ type: "redacted_thinking", data: "c2VhbGVk" }],
);
const serverTools = fc.constantFrom<readonly Wire[]>(
  [],
  [],
  [],
  [
    { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "node 24" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srv_1",
      content: [
        { type: "web_search_result", title: "Node", url: "https://nodejs.org", encrypted_content: "x" },
      ],
    },
    { type: "text", text: "Found it." },
  ],
);

export const anthropicPieces: Pieces = {
  plain: fc.tuple(role, anthropicContent, anthropicThinking, serverTools).map(
    ([speaker, content, thinking, server]): Piece =>
      () => {
        const blocks = [...thinking, ...server];
        if (speaker !== "assistant" || blocks.length === 0) return [{ role: speaker, content }];
        const said = Array.isArray(content) ? content : [{ type: "text", text: String(content) }];
        return [{ role: speaker, content: [...blocks, ...said] }];
      },
  ),
  calling: fc
    .record({
      said: anthropicBlocks,
      thinking: anthropicThinking,
      server: serverTools,
      calls: fc.array(fc.tuple(toolName, callArguments), { minLength: 1, maxLength: 4 }),
      how: answering,
      outputs: fc.array(
        fc.oneof(
          { weight: 8, arbitrary: output },
          { weight: 2, arbitrary: anthropicBlocks },
          { weight: 1, arbitrary: oddValue },
        ),
        { minLength: 5, maxLength: 5 },
      ),
      failed: fc.boolean(),
      beside: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: anthropicBlocks }),
    })
    .map(
      ({ said, thinking, server, calls, how, outputs, failed, beside }): Piece =>
        (n) => {
          const ids = calls.map((_, at) => `toolu_${n}_${at}`);
          const uses = calls.map(([name, input], at) => ({ type: "tool_use", id: ids[at], name, input }));
          const results = answersTo(ids, how).map((id, at) => ({
            type: "tool_result",
            tool_use_id: id,
            content: outputs[at],
            ...(failed ? { is_error: true } : {}),
          }));
          const asked = { role: "assistant", content: [...thinking, ...server, ...said, ...uses] };
          return results.length === 0 ? [asked] : [asked, { role: "user", content: [...results, ...beside] }];
        },
    ),
  odd: fc.oneof(
    output.map(
      (content): Piece =>
        (n) => [{ role: "user", content: [{ type: "tool_result", tool_use_id: `orphan_${n}`, content }] }],
    ),
    text.map(
      (said): Piece =>
        (n) => [
          {
            role: "user",
            content: [
              { type: "text", text: said },
              { type: "tool_result", tool_use_id: `orphan_${n}`, content: "late" },
            ],
          },
        ],
    ),
    fc.constantFrom<Piece>(
      () => [{}],
      () => [{ role: "user", content: [] }],
      () => [{ role: "assistant", content: [{ type: "tool_use" }] }],
      () => [{ role: "assistant", content: [{ type: "thinking", thinking: "only this", signature: "s" }] }],
      () => [{ role: "user", content: [{ type: "tool_result" }] }],
      () => [{ role: "system", content: "a system message inside the list" }],
    ),
  ),
};

/** A turn as the API takes it; thinking that is on leads every answer. */
export function anthropicTurn(
  { asked, picture, steps, answer }: Turn,
  n: number,
  alwaysThinks: boolean,
): readonly Wire[] {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  return [
    { role: "user", content: [...(picture ? [image] : []), { type: "text", text: asked }] },
    ...steps.flatMap(({ said, calls, thinks, searches }, step) => [
      {
        role: "assistant",
        content: [
          ...(thinks || alwaysThinks ? [thoughts[(n + step) % thoughts.length]] : []),
          ...(searches ? search(`srvtoolu_${n}_${step}`) : []),
          ...(said === "" ? [] : [{ type: "text", text: said }]),
          ...calls.map(({ name, input }, at) => ({
            type: "tool_use",
            id: `toolu_${n}_${step}_${at}`,
            name,
            input,
          })),
        ],
      },
      {
        role: "user",
        content: calls.map((call, at) => resultOf(call, `toolu_${n}_${step}_${at}`)),
      },
    ]),
    {
      role: "assistant",
      content: [...(alwaysThinks ? [thoughts[n % thoughts.length]] : []), { type: "text", text: answer }],
    },
  ];
}

const thoughts: readonly Wire[] = [
  { type: "thinking", thinking: "Hmm, wait. Perhaps not. ".repeat(20), signature: "c2ln" },
  { type: "redacted_thinking", data: "c2VhbGVk" },
  { type: "thinking", thinking: "", signature: "c2VhbGVk" },
];

function search(id: string): readonly Wire[] {
  const found = {
    type: "web_search_result",
    title: "Node",
    url: "https://nodejs.org",
    encrypted_content: "x",
  };
  return [
    { type: "server_tool_use", id, name: "web_search", input: { query: "node 24" } },
    { type: "web_search_tool_result", tool_use_id: id, content: [found] },
  ];
}

function resultOf({ output: said, inBlocks, fails }: Call, id: string): Wire {
  const content = inBlocks && said.trim() !== "" ? [{ type: "text", text: said }] : said;
  return { type: "tool_result", tool_use_id: id, content, ...(fails && { is_error: true }) };
}

const reminder = fc.nat(900).map((seconds) => `The user has not heard from you for ${seconds} s.`);
const tool = { type: "tool_reference", name: "run_tests" };

/** A system message in the list of messages: its content is a text or blocks, and it may set something from there on. */
export const anyTold: fc.Arbitrary<Wire> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: reminder },
      { weight: 3, arbitrary: visible },
      { weight: 2, arbitrary: visible.map((said) => [{ type: "text", text: said }]) },
      {
        weight: 1,
        arbitrary: visible.map((said) => [
          { type: "text", text: said },
          { type: "tool_addition", tool },
        ]),
      },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    fc.boolean(),
  )
  .map(([content, sets]) => ({
    role: "system",
    content,
    ...((sets || content.length === 0) && { output_config: { effort: "medium" } }),
  }));

/** The messages with what a program says where the API takes it: right after the user, before the assistant or last. */
export function withTold(messages: readonly Wire[], told: readonly (Wire | undefined)[]): readonly Wire[] {
  let places = 0;
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    if (message.role !== "user" || (next && next.role !== "assistant")) return [message];
    const here = told[places++];
    return here ? [message, here] : [message];
  });
}
