import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import type { Job } from "./job.ts";
import { createPreparer, type PreparerOptions } from "./prepare.ts";

type Wire = Record<string, unknown>;

const user = (text: string): Wire => ({ role: "user", content: text });
const assistant = (text: string): Wire => ({ role: "assistant", content: text });
const step = (at: number): readonly Wire[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: `c${at}`, type: "function", function: { name: "read_file", arguments: `{"path":"m${at}.ts"}` } },
    ],
  },
  { role: "tool", tool_call_id: `c${at}`, content: `export const port${at} = ${7000 + at};\n`.repeat(20) },
];
const steps = (from: number, to: number): readonly Wire[] =>
  Array.from({ length: to - from }, (_, at) => step(from + at)).flat();
const long = [user("Read the modules. Never edit generated.ts."), ...steps(0, 40), user("And now?")];

/** Spread over lines, as some clients send it: what Pith leaves alone must keep its bytes. */
const job = (messages: readonly Wire[], more: Partial<Job> = {}): Job => ({
  text: JSON.stringify({ model: "some-model", messages }, null, 1),
  format: "openai-chat",
  tenant: "t",
  ...more,
});
const preparer = (options: Partial<PreparerOptions> = {}) =>
  createPreparer({
    preset: "balanced",
    window: 8_000,
    archiveTimeoutMs: 5_000,
    archiveWriteTimeoutMs: 5_000,
    ...options,
  });
const messagesOf = (text: string): readonly Wire[] => JSON.parse(text).messages;
const startsWith = (text: string, prefix: string): boolean => {
  const [now, before] = [messagesOf(text), messagesOf(prefix)];
  return JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before);
};

test("a body that needs nothing stays the very text", async () => {
  const { text, outcome } = await preparer().prepare(job([user("hi")]));
  expect([text, outcome]).toEqual([job([user("hi")]).text, "untouched"]);
});

test("a compaction is replayed for everything that begins with what it stands for, in this process and in another", async () => {
  const archive = memoryArchive();
  const first = await preparer({ archive }).prepare(job(long));
  expect(first.outcome).toBe("compacted");
  const more = [...long, assistant("Done."), user("Go on.")];
  for (const process of [preparer({ archive }), preparer({ archive })]) {
    const again = await process.prepare(job(long));
    expect([again.text, again.outcome]).toEqual([first.text, "replayed"]);
    const next = await process.prepare(job(more));
    expect(next.outcome).toBe("replayed");
    expect(startsWith(next.text, first.text)).toBe(true);
    expect(messagesOf(next.text).slice(-2)).toEqual(more.slice(-2));
  }
});

test("what was forgotten is known to no other process, and is compacted anew under its name", async () => {
  const archive = memoryArchive();
  const first = await preparer({ archive }).prepare(job(long));
  await archive.forget!({ conversation: first.conversation! });
  const again = await preparer({ archive }).prepare(job(long));
  expect([again.outcome, again.conversation]).toEqual(["compacted", first.conversation]);
  expect((await archive.verify!()).faults).toEqual([]);
});

test("a second compaction builds on the first, and is replayed in terms of what the client sends", async () => {
  const archive = memoryArchive();
  const here = preparer({ archive });
  let history: readonly Wire[] = long;
  const sent: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const { text } = await here.prepare(job(history));
    sent.push(text);
    history = [...history, ...step(100 + turn)];
  }
  const breaks = sent.filter((text, at) => at > 0 && !startsWith(text, sent[at - 1]!));
  expect(breaks.length).toBeGreaterThan(1);
  expect(sent.at(-1)).toContain("Never edit generated.ts.");
  const elsewhere = await preparer({ archive }).prepare(job(history, { replayOnly: true }));
  expect(startsWith(elsewhere.text, sent.at(-1)!)).toBe(true);
});

test("an edited, a branched, a regenerated and a foreign conversation never get what another one had", async () => {
  const archive = memoryArchive();
  const here = preparer({ archive });
  const first = await here.prepare(job(long));
  const untouched = async (messages: readonly Wire[], more: Partial<Job> = {}) => {
    const { text, outcome } = await here.prepare(job(messages, more));
    return outcome === "untouched" && text === job(messages, more).text;
  };
  const short = long.slice(0, 31);
  // A regeneration from before the compaction, and an edit of the first message.
  expect(await untouched(short)).toBe(true);
  expect(await untouched([user("Read the modules. Edit what you like."), ...long.slice(1, 31)])).toBe(true);
  const edited = await here.prepare(job([...long.slice(0, 10), assistant("Other."), ...long.slice(11)]));
  expect(edited.outcome).toBe("compacted");
  expect((await here.prepare(job(long, { tenant: "other" }))).outcome).toBe("compacted");
  expect((await here.prepare(job(long, { conversation: "named" }))).outcome).toBe("compacted");
  // Two branches from the same compaction both build on it.
  const [left, right] = [
    [...long, assistant("Left.")],
    [...long, assistant("Right.")],
  ];
  const [one, two] = [await here.prepare(job(left)), await here.prepare(job(right))];
  for (const { text, outcome } of [one, two]) {
    expect(outcome).toBe("replayed");
    expect(startsWith(text, first.text)).toBe(true);
  }
  expect(one.text).not.toBe(two.text);
});

test("cache marks that a client moves about do not hide the past, and none is stored", async () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const marked = (messages: readonly Wire[], at: number): readonly Wire[] =>
    messages.map((message, index) =>
      index === at ? { ...message, content: [{ type: "text", text: message.content, ...mark }] } : message,
    );
  const here = preparer();
  const first = await here.prepare(job(marked(long, 0)));
  const more = [...long, assistant("Done."), user("Go on.")];
  const next = await here.prepare(job(marked(more, more.length - 1)));
  expect([first.outcome, next.outcome]).toEqual(["compacted", "replayed"]);
  expect(next.text.split("cache_control")).toHaveLength(2);
});

test("what the provider refused is compacted further, and the next turn builds on that", async () => {
  const here = preparer({ window: undefined });
  expect((await here.prepare(job(long))).outcome).toBe("untouched");
  const overflow = "This model's maximum context length is 6000 tokens.";
  const smaller = await here.prepare(job(long, { overflow }));
  expect(smaller.outcome).toBe("compacted");
  expect(smaller.text.length).toBeLessThan(job(long).text.length / 2);
  const next = await here.prepare(job([...long, assistant("Done.")]));
  expect(startsWith(next.text, smaller.text)).toBe(true);
});

test("counting tokens replays and compacts nothing new", async () => {
  const here = preparer();
  expect((await here.prepare(job(long, { replayOnly: true }))).outcome).toBe("untouched");
  const { text } = await here.prepare(job(long));
  expect((await here.prepare(job(long, { replayOnly: true }))).text).toBe(text);
});

test.each([
  ["no JSON", "{"],
  ["no messages", '{"model":"m"}'],
  ["messages that are none", '{"messages":[1]}'],
  [
    "a provider's own memory",
    '{"model":"m","previous_response_id":"r","input":[{"role":"user","content":"x"}]}',
  ],
])("%s is passed on as it is", async (_, text) => {
  expect((await preparer().prepare({ text, format: "openai-responses", tenant: "t" })).text).toBe(text);
});

test("the note that a preset adds to the system prompt comes again at each turn, whatever the prompt has become", async () => {
  const here = preparer({ preset: "hermes" });
  const body = (messages: readonly Wire[], system: string): Job => ({
    text: JSON.stringify({ model: "some-model", system, messages }),
    format: "anthropic-messages",
    tenant: "t",
  });
  const blocks = [
    user("Read the modules."),
    ...Array.from({ length: 60 }, (_, at) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `c${at}`, name: "read_file", input: { path: `m${at}.ts` } }],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `c${at}`, content: `const port = ${at};\n`.repeat(20) },
        ],
      },
    ]).flat(),
  ];
  const first = await here.prepare(body(blocks, "Monday."));
  expect(first.outcome).toBe("compacted");
  const next = await here.prepare(body([...blocks, assistant("Done."), user("Go on.")], "Tuesday."));
  expect(startsWith(next.text, first.text)).toBe(true);
  expect(JSON.parse(first.text).system).toMatch(/^Monday\.\n\n\[Note: /);
  expect(JSON.parse(next.text).system).toMatch(/^Tuesday\.\n\n\[Note: /);
});

test("an archive that fails while it stores leaves the past as it was, and is left alone for a while", async () => {
  const archive = memoryArchive();
  let asked = 0;
  const failing: Archive = {
    ...archive,
    put: async () => {
      asked++;
      throw new Error("disk full");
    },
  };
  const here = preparer({ archive: failing, preset: "hermes-lean" });
  const fitting = job(long.slice(0, 67));
  const { outcome, text, reason } = await here.prepare(fitting);
  expect([outcome, text]).toEqual(["failed-open", fitting.text]);
  expect(reason).toContain("disk full");
  expect((await here.prepare(job(long))).outcome).toBe("compacted-without-archive");
  expect(asked).toBe(1);
});

test("a recipe that cannot be read stops nothing", async () => {
  const archive = memoryArchive();
  const broken: Archive = {
    ...archive,
    checkpoints: async ([name = ""]) => [{ conversation: name, at: 1, state: '{"recipe":{"covers":"x"}}' }],
  };
  const { outcome, reason } = await preparer({ archive: broken }).prepare(job([user("hi"), assistant("x")]));
  expect([outcome, reason]).toEqual(["failed-open", expect.stringContaining("cannot be read")]);
});

test("while the archive is down its tools are not offered, and they come back with it; a clock that is set back delays nothing", async () => {
  const whole = memoryArchive();
  let now = 10_000_000;
  let isDown = false;
  const archive: Archive = {
    ...whole,
    checkpoints: (places) => (isDown ? Promise.reject(new Error("gone")) : whole.checkpoints!(places)),
  };
  const process = preparer({ archive, tools: "recall", clock: () => now });
  const toolsOf = ({ text }: { readonly text: string }): readonly Wire[] => JSON.parse(text).tools ?? [];
  const turn = (at: number): readonly Wire[] => [assistant(`Done ${at}.`), user(`Go on ${at}.`)];
  expect(toolsOf(await process.prepare(job(long)))).toHaveLength(2);
  isDown = true;
  const during = await process.prepare(job([...long, ...turn(1)]));
  expect([toolsOf(during), startsWith(during.text, (await process.prepare(job(long))).text)]).toEqual([
    [],
    true,
  ]);
  isDown = false;
  // Within the pause, but the clock was set back by an hour.
  now -= 3_600_000;
  expect(toolsOf(await process.prepare(job([...long, ...turn(1), ...turn(2)])))).toHaveLength(2);
});

test("a look tells at once what needs no compaction, and of the rest whether it fits as it is", async () => {
  const here = preparer();
  const near = job(long.slice(0, 67));
  expect(await here.look(near)).toMatchObject({ text: near.text, outcome: "untouched" });
  expect(await here.look(job(long))).toEqual({ text: job(long).text, conversation: undefined, fits: false });
  const early = preparer({ preset: "gptme" });
  expect(await early.look(near)).toEqual({ text: near.text, conversation: undefined, fits: true });
  expect(await early.prepare(near)).toMatchObject({ outcome: "compacted" });
});
