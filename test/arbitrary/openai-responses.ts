/** openai-responses, generated: pieces of any body, and turns that the API takes. */
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
import { output, text } from "./texts.ts";
import type { Call, Step, Turn } from "./turn.ts";

const content = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        text.map((said) => ({ type: "input_text", text: said })),
        text.map((said) => ({ type: "output_text", text: said, annotations: [] })),
        fc.constantFrom<unknown>(
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
          { type: "input_file", file_id: "file_1" },
          { type: "refusal", refusal: "I cannot help with that." },
          { type: "hologram", payload: { depth: 3 } },
          "bare string",
          null,
        ),
      ),
      { maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: oddValue },
);

const reasoning = fc.constantFrom<readonly Wire[]>(
  [],
  [],
  [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hmm, wait. ".repeat(30) }] }],
  [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" }],
);

export const responsesPieces: Pieces = {
  plain: fc.tuple(role, content, reasoning, fc.boolean()).map(
    ([speaker, said, thoughts, typed]): Piece =>
      () => [
        ...(speaker === "assistant" ? thoughts : []),
        { ...(typed && { type: "message" }), role: speaker, content: said },
      ],
  ),
  calling: fc
    .record({
      thoughts: reasoning,
      calls: fc.array(fc.tuple(toolName, callArguments, fc.nat(6)), { minLength: 1, maxLength: 4 }),
      how: answering,
      outputs: fc.array(fc.oneof({ weight: 8, arbitrary: output }, { weight: 1, arbitrary: content }), {
        minLength: 5,
        maxLength: 5,
      }),
    })
    .map(
      ({ thoughts, calls, how, outputs }): Piece =>
        (n) => {
          const ids = calls.map((_, at) => `call_${n}_${at}`);
          const kindOf = new Map(ids.map((id, at) => [id, kinds[calls[at]![2]] ?? "function_call"]));
          return [
            ...thoughts,
            ...calls.map(([name, given, broken], at) => {
              const kind = kindOf.get(ids[at]!)!;
              const json = `${JSON.stringify(given)}${broken === 6 ? "!" : ""}`;
              if (kind === "function_call") return { type: kind, call_id: ids[at], name, arguments: json };
              if (kind === "custom_tool_call") return { type: kind, call_id: ids[at], name, input: json };
              return { type: kind, call_id: ids[at], action: { type: "exec", command: ["ls"] } };
            }),
            ...answersTo(ids, how).map((id, at) => ({
              type: `${kindOf.get(id)}_output`,
              call_id: id,
              output: kindOf.get(id) === "computer_call" ? screenshot : outputs[at],
            })),
          ];
        },
    ),
  odd: fc.oneof(
    output.map(
      (said): Piece =>
        (n) => [{ type: "function_call_output", call_id: `orphan_${n}`, output: said }],
    ),
    oddValue.map(
      (value): Piece =>
        () => [{ type: "function_call", call_id: value, name: value, arguments: value }],
    ),
    fc.constantFrom<Piece>(
      () => [{}],
      () => [{ role: "user" }],
      () => [{ type: "reasoning", id: "rs_alone", summary: [] }],
      () => [{ type: "compaction", id: "cmp_1", encrypted_content: "c2VhbGVk" }],
      (n) => [{ type: "item_reference", id: `item_${n}` }],
      () => [{ type: "image_generation_call", id: "ig_1", status: "completed", result: "AAAA" }],
      () => [{ type: "mcp_approval_response", approval_request_id: "none", approve: true }],
    ),
  ),
};

const kinds: readonly (string | undefined)[] = [
  undefined,
  undefined,
  undefined,
  "custom_tool_call",
  "local_shell_call",
  "computer_call",
];
const screenshot = { type: "computer_screenshot", image_url: "data:image/png;base64,AAAA" };

/** A turn as the API takes it. */
export function responsesTurn({ asked, picture, steps, answer }: Turn, n: number): readonly Wire[] {
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" };
  return [
    picture
      ? { type: "message", role: "user", content: [{ type: "input_text", text: asked }, image] }
      : { role: "user", content: asked },
    ...steps.flatMap((step, at) => itemsOf(step, `${n}_${at}`)),
    said(answer, `${n}_end`),
  ];
}

function itemsOf({ said: words, calls, thinks, searches, asksApproval }: Step, n: string): readonly Wire[] {
  return [
    ...(thinks
      ? [{ type: "reasoning", id: `rs_${n}`, summary: [summary], encrypted_content: "c2VhbGVk" }]
      : []),
    ...(searches
      ? [
          {
            type: "web_search_call",
            id: `ws_${n}`,
            status: "completed",
            action: { type: "search", query: "node" },
          },
        ]
      : []),
    ...(asksApproval ? approval(n) : []),
    ...(words === "" ? [] : [said(words, n)]),
    ...calls.map((call, at) => callOf(call, `${n}_${at}`)),
    ...calls.map((call, at) => outputOf(call, `${n}_${at}`)),
  ];
}

const summary = { type: "summary_text", text: "Hmm, wait. Perhaps not. ".repeat(20) };

function said(words: string, n: string): Wire {
  const block = { type: "output_text", text: words, annotations: [] };
  return { type: "message", role: "assistant", id: `msg_${n}`, status: "completed", content: [block] };
}

function approval(n: string): readonly Wire[] {
  const asked = { name: "deploy", server_label: "ops", arguments: '{"to":"staging"}' };
  return [
    { type: "mcp_approval_request", id: `mcpr_${n}`, ...asked },
    { type: "mcp_approval_response", approval_request_id: `mcpr_${n}`, approve: true },
    { type: "mcp_call", id: `mcp_${n}`, approval_request_id: `mcpr_${n}`, ...asked, output: "deployed" },
  ];
}

function callOf({ name, input, isCustom }: Call, n: string): Wire {
  const common = { id: `fc_${n}`, call_id: `call_${n}`, name, status: "completed" };
  return isCustom
    ? { type: "custom_tool_call", ...common, input: JSON.stringify(input) }
    : { type: "function_call", ...common, arguments: JSON.stringify(input) };
}

function outputOf({ output: printed, inBlocks, isCustom }: Call, n: string): Wire {
  return {
    type: isCustom ? "custom_tool_call_output" : "function_call_output",
    call_id: `call_${n}`,
    output: inBlocks ? [{ type: "input_text", text: printed }] : printed,
  };
}
