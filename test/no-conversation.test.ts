/** What is no conversation is refused at every door, with what was found and what is expected; roles by other names are read as what they are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/index.ts";
import { readConversation } from "../src/providers/index.ts";
import { validateRequest } from "../src/providers/validate/index.ts";
import { type Json, wires } from "./gateway-wires.ts";
import { eventsOf, gatewayTo, post, speaking, startProvider } from "./gateway-world.ts";
import { signs } from "./planner-signs.ts";
import { runPith } from "./run-pith.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-no-conversation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = (at: number): string =>
  `Crane ${at} was checked: its motor ran at ${at * 13} rpm, its rope is sound. `.repeat(6);
const list = (message: (at: number) => Json): readonly Json[] =>
  Array.from({ length: 200 }, (_, at) => message(at));

const foreign = list((at) => ({ text: said(at), author: at % 2 ? "Ann" : "Bob" }));
const strangers = list((at) => ({ role: at % 2 ? "critic" : "narrator", content: said(at) }));
const silent = list((at) => ({ role: at % 2 ? "assistant" : "user", text: said(at) }));
const contents = list((at) => ({ role: at % 2 ? "model" : "user", parts: [{ text: said(at) }] }));

const EXPECTED =
  /Expected .*"role": "user", "content": "…".*human is read as user, and model, ai and bot as assistant/;
const refused: readonly (readonly [what: string, body: unknown, found: RegExp, expected: RegExp])[] = [
  [
    "records without a role",
    foreign,
    /none of its 200 messages has a known role \(keys of the first: "text", "author"\)/,
    EXPECTED,
  ],
  [
    "roles that nobody knows",
    strangers,
    /none of its 200 .* known role \(roles found: "narrator", "critic"/,
    EXPECTED,
  ],
  [
    "messages without content",
    silent,
    /none of its 200 .* has content, calls or results .*"role", "text"/,
    EXPECTED,
  ],
  [
    "a request of Gemini",
    { contents },
    /found a `contents` list, a format that is not read/,
    /Expected a JSON list of messages, or an object with a `messages` or `input` list/,
  ],
];
/** A bare list of contents in a file is the Gemini CLI's own, which is read. */
const inLibrary = [
  ...refused,
  [
    "a list of Gemini contents",
    contents,
    /`parts`, such as a Gemini `contents` list, are not read/,
    EXPECTED,
  ],
] as const;

test.each(inLibrary)("the library gives back %s, and says why", async (_what, body, found, expected) => {
  const compactor = createCompactor({ model: "gpt-4o", archive: memoryArchive() });
  const result = await compactor.compact(body, { target: "30%" });
  expect(result.messages ?? result.body).toBe(body);
  const { compacted, error } = result.report;
  expect([compacted, error?.code]).toEqual([false, "INVALID_INPUT"]);
  for (const why of [found, expected]) expect(error?.message).toMatch(why);
  for (const act of [() => readConversation(body), () => validateRequest(body), () => compactor.health(body)])
    expect(act).toThrow(found);
  await expect(compactor.plan(body, { target: "30%" })).rejects.toThrow(found);
});

const commands = [
  "compact FILE --target 30% -o out.json",
  "plan FILE --target 30%",
  "health FILE --window 8000",
  "validate FILE",
  "replay FILE --window 8000",
  "convert FILE --to responses",
  "inspect FILE --export out.html",
  "archive import FILE --archive import.sqlite",
];
const cases = refused.flatMap(([what, body, found, expected], at) =>
  // What one command says of a list they all do.
  commands
    .slice(0, at === 0 ? commands.length : 1)
    .map((command) => ({ what, body, found, expected, command })),
);

test.concurrent.each(cases)(
  "$command refuses $what with exit code 2",
  async ({ what, body, found, expected, command }) => {
    // A file of its own: the tests run side by side.
    const file = `${what.replaceAll(" ", "-")}-${command.split(" ")[0]}.json`;
    writeFileSync(join(folder, file), JSON.stringify(body));
    const run = await runPith(command.replace("FILE", file).split(" "), { folder });
    expect([run.exitCode, run.stdout]).toEqual([2, ""]);
    for (const why of [/^pith: .*\.json: /, found, expected]) expect(run.stderr).toMatch(why);
    expect(readdirSync(folder).filter((name) => name.startsWith("out."))).toEqual([]);
  },
);

test("a line of --jsonl that is none is answered with the reason, the others with their result", async () => {
  const good = [
    { role: "user", content: "Check the cranes." },
    { role: "assistant", content: said(1) },
  ];
  const lines = [foreign, good].map((messages, id) => JSON.stringify({ id, messages })).join("\n");
  for (const command of ["compact --jsonl --target 5000", "archive import --jsonl --archive lines.sqlite"]) {
    const run = await runPith([...command.split(" "), "-"], { folder, input: lines });
    const [first, second] = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    expect([run.exitCode, first]).toEqual([
      0,
      { id: 0, error: { code: "INVALID_INPUT", message: expect.stringMatching(EXPECTED), line: 1 } },
    ]);
    expect(second).toMatchObject({ id: 1 });
    expect(second).not.toHaveProperty("error");
  }
});

test.each(wires)(
  "the gateway ($name) passes on what is none as it came, and its log says why",
  async ({ path, key, body }) => {
    const provider = await startProvider(speaking(() => ({ text: "Fine.", calls: [] })));
    const gateway = await gatewayTo(provider.url, { window: 8_000 });
    try {
      // Without a system message of ours.
      const text = JSON.stringify({ ...body([]), [key]: foreign });
      const answer = await post(`${gateway.url}${path}`, text);
      expect([answer.status, provider.received.at(-1)!.text === text]).toEqual([200, true]);
      expect(eventsOf(gateway, "request")).toMatchObject([
        {
          outcome: "failed-open",
          reason: expect.stringMatching(/none of its 200 messages has a known role/),
        },
      ]);
    } finally {
      await gateway.stop();
      await provider.close();
    }
  },
);

/** A team: who asks is human, one agent is the model, and the others have names. */
const team = (asks: string, model: string): readonly Json[] => [
  { role: asks, content: "Check every crane of the harbour, and never start crane 42." },
  ...Array.from({ length: 90 }, (_, at) => ({
    role: ["planner", model, "site critic"][at % 3]!,
    content: said(at),
  })),
  { role: asks, content: "Go on with the cranes of the north quay." },
];

test.each([
  ["human", "ai"],
  ["human", "bot"],
  ["Human", "model"],
])(
  "of a team the role %s is the user, %s the assistant, and any other an agent of that name",
  async (asks, model) => {
    const archive = memoryArchive();
    const compactor = createCompactor({ model: "gpt-4o", archive });
    const messages = team(asks, model);
    const { messages: after, report } = await compactor.compact(messages, {
      target: "20%",
      conversationId: "t",
    });
    expect(report.roles).toEqual([
      { name: asks, readAs: "user", messages: 2 },
      { name: "planner", readAs: "agent", messages: 30 },
      { name: model, readAs: "assistant", messages: 30 },
      { name: "site critic", readAs: "agent", messages: 30 },
    ]);
    const text = after.map(({ content }) => String(content)).join("\n");
    expect(text).toMatch(signs.asks("Check every crane of the harbour, and never start crane 42\\."));
    expect(text).toContain("Go on with the cranes of the north quay.");
    expect(text).toMatch(signs.says("planner", "Crane \\d+ was checked"));
    expect(text).toMatch(signs.says("site critic", "Crane \\d+ was checked"));
    // What an agent said is found again, although nobody else speaks in it.
    const { run } = await compactor.tools(messages, { conversationId: "t" });
    expect(await run("recall_search", { query: "motor of crane 3 at 39 rpm" })).toContain(
      "Crane 3 was checked",
    );
  },
);

test("the command line says under which roles it read what, also where a request is one of Responses or Anthropic", async () => {
  for (const [key, format] of [
    ["messages", "openai"],
    ["messages", "anthropic"],
    ["input", "responses"],
  ] as const) {
    writeFileSync(
      join(folder, "team.json"),
      JSON.stringify({ model: "some-model", [key]: team("human", "ai") }),
    );
    const run = await runPith(
      ["compact", "team.json", "--target", "20%", "--format", format, "--report", "r.json"],
      { folder },
    );
    expect([format, run.exitCode]).toEqual([format, 0]);
    expect(run.stderr).toContain('The role "human" (2 messages) was read as user.\n');
    expect(run.stderr).toContain('The role "planner" (30 messages) was read as an agent of that name.\n');
    expect(run.stdout.replaceAll("\\n", "\n")).toMatch(signs.asks("Check every crane of the harbour"));
    expect(JSON.parse(readFileSync(join(folder, "r.json"), "utf8"))).toMatchObject({
      roles: [
        { name: "human", readAs: "user" },
        { name: "planner" },
        { name: "ai", readAs: "assistant" },
        {},
      ],
    });
  }
});

test("a conversation by providers' own names is told without a word of its roles", async () => {
  const messages = [
    { role: "developer", content: "You are careful." },
    { role: "user", content: "Check the cranes." },
    ...Array.from({ length: 40 }, (_, at) => ({ role: "assistant", content: said(at) })),
    // Nothing in it, as many have it, and no fault.
    { role: "assistant", content: null },
  ];
  const { report } = await createCompactor({ model: "gpt-4o" }).compact(messages, { target: "30%" });
  expect([report.compacted, report.roles]).toEqual([true, undefined]);
  expect(readConversation([{ role: "user", content: "" }]).messages).toHaveLength(1);
  expect(readConversation([]).messages).toEqual([]);
});
