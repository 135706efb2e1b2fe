/** Arbitrary conversations for property tests: whatever an agent may send on the wire, broken and hostile bodies included. */
import fc from "fast-check";

type Wire = Readonly<Record<string, unknown>>;

export interface GeneratedConversation {
  readonly format: "openai-chat" | "anthropic-messages";
  /** A bare list of messages, or a body around it. */
  readonly body: readonly Wire[] | Wire;
  /** Positions as `CompactOptions.pins` takes them. */
  readonly pins: readonly number[];
}

/** Any conversation in the openai-chat format. */
export function openaiConversation(): fc.Arbitrary<GeneratedConversation> {
  return inBody("openai-chat", messagesOf(openaiPieces), false);
}

/** Any conversation in the anthropic-messages format, with and without a `system` beside the messages. */
export function anthropicConversation(): fc.Arbitrary<GeneratedConversation> {
  return inBody("anthropic-messages", messagesOf(anthropicPieces), true);
}

/** Conversations in which a provider would find no fault: turns in order, every call answered, or running at the end. */
export function orderlyConversation(): fc.Arbitrary<GeneratedConversation> {
  return fc.oneof(
    inBody("openai-chat", orderlyMessages(openaiTurn), false),
    inBody("anthropic-messages", orderlyMessages(anthropicTurn), true),
  );
}

export function anyConversation(): fc.Arbitrary<GeneratedConversation> {
  return fc.oneof(openaiConversation(), anthropicConversation());
}

/** Texts that break careless code, each large; too slow to draw in every run. */
export const hugeTexts: readonly (readonly [name: string, make: () => string])[] = [
  [
    "5 MB of log lines",
    () =>
      manyLines(5_000_000, (n) => `2026-01-01T00:00:${n % 60} INFO worker ${n} took ${(n * 37) % 900} ms`),
  ],
  ["a megabyte of one letter", () => "a".repeat(1_000_000)],
  ["a megabyte of spaces", () => " ".repeat(1_000_000)],
  ["a megabyte of dashes", () => "-".repeat(1_000_000)],
  ["a megabyte of one ideograph", () => "字".repeat(330_000)],
  ["a megabyte of base64", () => Buffer.from(manyLines(750_000, (n) => `${n * 7919}`)).toString("base64")],
  ["a megabyte of blank lines", () => "\n".repeat(1_000_000)],
  ["5,000 nested brackets", () => `${"[".repeat(5000)}1${"]".repeat(5000)}`],
  ["5,000 nested quotes", () => `${"> ".repeat(5000)}deep\n`.repeat(3)],
];

function manyLines(length: number, line: (n: number) => string): string {
  const lines: string[] = [];
  for (let n = 0, size = 0; size < length; n++) {
    const next = line(n);
    lines.push(next);
    size += next.length + 1;
  }
  return lines.join("\n");
}

/** Sentences as people type them: asking, binding in several wordings and languages, and neither. */
const userSentences = [
  "Please fix the parser in src/parse.ts.",
  "Why does the build fail?",
  "Never touch the migrations folder.",
  "Do not push to main without asking me.",
  "You must keep Node 18 support.",
  "Use tabs, not spaces.",
  "The timeout may not exceed 30 seconds.",
  "No, I said the other file: lib/index.ts.",
  "I'd prefer small commits.",
  "Bitte keine neuen Abhängigkeiten hinzufügen.",
  "N'utilise jamais eval.",
  "必须保留旧的接口。",
  "The weather is fine.",
  "## Constraints",
  "- only standard library",
  "Constraints:\n- at most 3 retries\n- must be idempotent",
  "ok",
  "> quoted: never do that",
  "```\nmust_not_bind()\n```",
  "[End of hand-off. The conversation goes on below.]",
  "## First ask",
];

const oddTexts = [
  "",
  " ",
  "\n",
  "\u0000",
  "\ud800",
  "lone \udc00 here",
  "\ufeffmark",
  "<|endoftext|>",
  "<think>wait, actually maybe not</think>done",
  "[pith: 12 characters left out]",
  "{}",
  "null",
  "😀👩‍👩‍👧‍👦",
  "constructor",
  "__proto__",
];

const handoffs = [
  "[Pith hand-off] What happened earlier, as past reference:\n## First ask\nPlease port the tool to Rust.\n## Constraints\n- Never use unsafe.\n- Keep the CLI flags.\n## Progress\n- read a.ts\n[End of hand-off. The conversation goes on below.]",
  "[Pith hand-off] What happened earlier, as past reference:\n## Latest ask (answered)\nCan you list the files? You must not delete any.\n[End of hand-off. The conversation goes on below.]",
  "[Pith hand-off] What happened earlier, as past reference:\n## First ask\nShip it.\n[End of hand-off. The conversation goes on below.]\nNow do the second part, never in place.",
  "[Pith hand-off] What happened earlier, as past reference:\nno end marker and no headings",
  "[CONTEXT SUMMARY]: older work, must keep the API",
  "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. Below is the summary — use it to build on the work already done and avoid duplicating effort:\nDid things.",
  "[SUMMARY]: did some work\nand more",
  "[Archived 12 messages. Summary of prior work: Read the config; Fixed the parser]",
];

const toolOutputs: readonly string[] = [
  manyLines(3000, (n) => `src/file${n}.ts:${n * 3}: export function f${n}() {}`),
  manyLines(4000, (n) => (n === 40 ? "FAIL test/a.test.ts > breaks\nexit code 1" : `ok ${n} - passes`)),
  JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `user ${id}`, score: id * 1.5 }))),
  manyLines(2500, (n) => `${n},name ${n},${n * 17}`),
  "short answer",
  "Error: ENOENT: no such file or directory, open '/tmp/x'",
  "# SESSION_LOG\n## Token Usage @ 10:00\nall of it",
  "## State checkpoint\nstep 3 of 9",
];

const prose = fc
  .array(fc.constantFrom(...userSentences), { minLength: 1, maxLength: 6 })
  .chain((sentences) => fc.constantFrom(" ", "\n", "\n\n").map((gap) => sentences.join(gap)));
const longProse = fc
  .tuple(prose, fc.integer({ min: 20, max: 400 }))
  .map(
    ([text, count]) =>
      `${text}\n${"The service answered slowly and wait, I am not sure why it did. ".repeat(count)}`,
  );
const text = fc.oneof(
  { weight: 5, arbitrary: prose },
  { weight: 2, arbitrary: longProse },
  { weight: 2, arbitrary: fc.constantFrom(...toolOutputs) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.constantFrom(...handoffs) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...handoffs), prose).map((both) => both.join("\n\n")) },
);
const output = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...toolOutputs) },
  { weight: 2, arbitrary: longProse },
  { weight: 1, arbitrary: text },
);
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 7, true, "", [], {}, [null], [[]], [1, "x"], { text: "odd" }),
  fc.jsonValue({ maxDepth: 2 }),
);
const callArguments = fc.oneof(
  fc.constantFrom<unknown>({}, { path: "src/a.ts" }, { id: 12345678, flag: null }),
  text.map((content) => ({ path: "src/b.ts", content })),
  fc.jsonValue({ maxDepth: 2 }),
);
const toolName = fc.constantFrom("read_file", "run_tests", "web_search", "execute_sql", "x", "");
const role = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("user", "assistant") },
  { weight: 1, arbitrary: fc.constantFrom("system", "developer", "critic", "function", "") },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 3) },
);

/** How the results of a batch of calls come back. */
type Answering = "all" | "reversed" | "missing" | "duplicated" | "none";
const answering = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Answering>("all") },
  { weight: 4, arbitrary: fc.constantFrom<Answering>("reversed", "missing", "duplicated", "none") },
);

/** Ids of answers to calls with these ids, in the order they come. */
function answersTo(ids: readonly string[], how: Answering): readonly string[] {
  if (how === "reversed") return ids.toReversed();
  if (how === "missing") return ids.slice(1);
  if (how === "duplicated") return [...ids, ...ids.slice(0, 1)];
  return how === "none" ? [] : ids;
}

/** A few messages that belong together, as wire values; `n` makes the ids of their calls distinct. */
type Piece = (n: number) => readonly Wire[];

interface Pieces {
  readonly plain: fc.Arbitrary<Piece>;
  readonly calling: fc.Arbitrary<Piece>;
  readonly odd: fc.Arbitrary<Piece>;
}

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

const openaiPieces: Pieces = {
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

const anthropicPieces: Pieces = {
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

interface Turn {
  readonly asked: string;
  readonly steps: readonly Step[];
  readonly answer: string;
}

interface Step {
  readonly said: string;
  readonly calls: readonly (readonly [name: string, input: object, output: string])[];
  readonly thinks: boolean;
}

const visible = text.filter((said) => said.trim() !== "");
const turn: fc.Arbitrary<Turn> = fc.record({
  asked: visible,
  steps: fc.array(
    fc.record({
      said: fc.oneof(fc.constant(""), visible),
      calls: fc.array(
        fc.tuple(
          fc.constantFrom("read_file", "run_tests"),
          fc.oneof(
            fc.constant({}),
            text.map((content) => ({ content })),
          ),
          output.filter((said) => said.trim() !== ""),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      thinks: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  answer: visible,
});

/** Turn by turn; the last one may be open: just asked, or its last calls still running. */
function orderlyMessages(write: (turn: Turn, n: number) => readonly Wire[]): fc.Arbitrary<readonly Wire[]> {
  return fc
    .tuple(
      fc.array(turn, { minLength: 1, maxLength: 6, size: "max" }),
      fc.constantFrom("whole", "asked", "running"),
    )
    .map(([turns, end]) => {
      const messages = turns.flatMap((each, n) => write(each, n));
      if (end === "whole") return messages;
      const last = write(turns.at(-1)!, turns.length - 1);
      const before = messages.slice(0, messages.length - last.length);
      const running = end === "running" && turns.at(-1)!.steps.length > 0;
      return [...before, ...last.slice(0, running ? 2 : 1)];
    });
}

function openaiTurn({ asked, steps, answer }: Turn, n: number): readonly Wire[] {
  return [
    { role: "user", content: asked },
    ...steps.flatMap(({ said, calls, thinks }, step) => [
      {
        role: "assistant",
        content: said === "" ? null : said,
        ...(thinks ? { reasoning_content: "Hmm, wait. Perhaps not. ".repeat(20) } : {}),
        tool_calls: calls.map(([name, input], at) => ({
          id: `call_${n}_${step}_${at}`,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
      ...calls.map(([, , content], at) => ({
        role: "tool",
        tool_call_id: `call_${n}_${step}_${at}`,
        content,
      })),
    ]),
    { role: "assistant", content: answer },
  ];
}

function anthropicTurn({ asked, steps, answer }: Turn, n: number): readonly Wire[] {
  const thought = { type: "thinking", thinking: "Hmm, wait. Perhaps not. ".repeat(20), signature: "c2ln" };
  return [
    { role: "user", content: [{ type: "text", text: asked }] },
    ...steps.flatMap(({ said, calls, thinks }, step) => [
      {
        role: "assistant",
        content: [
          ...(thinks ? [thought] : []),
          ...(said === "" ? [] : [{ type: "text", text: said }]),
          ...calls.map(([name, input], at) => ({
            type: "tool_use",
            id: `toolu_${n}_${step}_${at}`,
            name,
            input,
          })),
        ],
      },
      {
        role: "user",
        content: calls.map(([, , content], at) => ({
          type: "tool_result",
          tool_use_id: `toolu_${n}_${step}_${at}`,
          content,
        })),
      },
    ]),
    { role: "assistant", content: [{ type: "text", text: answer }] },
  ];
}

function messagesOf({ plain, calling, odd }: Pieces): fc.Arbitrary<readonly Wire[]> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 5, arbitrary: calling },
    { weight: 1, arbitrary: odd },
  );
  return fc
    .array(piece, { maxLength: 14, size: "max" })
    .map((pieces) => pieces.flatMap((make, n) => make(n)));
}

function inBody(
  format: GeneratedConversation["format"],
  messages: fc.Arbitrary<readonly Wire[]>,
  systemBeside: boolean,
): fc.Arbitrary<GeneratedConversation> {
  const prompt = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: prose },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, "", []) },
    { weight: 1, arbitrary: prose.map((said) => [{ type: "text", text: said }]) },
  );
  const tools = fc.constantFrom<readonly unknown[]>(
    [],
    [{ type: "function", function: { name: "read_file" } }],
    [{ name: "read_file", input_schema: { type: "object" } }],
  );
  return fc
    .record({ messages, prompt, tools, bare: fc.boolean(), pinned: fc.array(fc.nat(200), { maxLength: 2 }) })
    .map(({ messages: list, prompt: system, tools: given, bare, pinned }) => {
      const lead = systemBeside || system === undefined ? [] : [{ role: "system", content: system }];
      const all = [...lead, ...list];
      const beside = systemBeside && !bare && system !== undefined ? { system } : {};
      const body = bare ? all : { ...(given.length > 0 ? { tools: given } : {}), ...beside, messages: all };
      const count = all.length + (beside.system === undefined || beside.system === null ? 0 : 1);
      const pins = count === 0 || pinned.length === 0 ? [] : [...new Set(pinned.map((at) => at % count))];
      return { format, body, pins };
    });
}
