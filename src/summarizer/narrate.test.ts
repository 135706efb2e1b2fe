import { expect, test } from "vitest";
import { anthropicConversation, assistant, call, conversation, result, user } from "../testing/builders.ts";
import { type ScriptStep, scriptedSummarizer } from "../testing/scripted-summarizer.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type NarrateOptions, narrate } from "./narrate.ts";

const { messages } = conversation(
  user("Fix the parser. Never touch the lexer."),
  assistant("Reading.", call("Edit", { file_path: "src/parser.ts", old_string: "a", new_string: "b" })),
  result("The file src/parser.ts has been updated."),
  assistant("", call("TodoWrite", { todos: [{ content: "Write the docs", status: "pending" }] })),
  result("Todos have been modified."),
);

function asked(script: readonly ScriptStep[], options: Partial<NarrateOptions> = {}) {
  return narrate({
    span: messages,
    messages,
    counter: createTokenCounter(),
    summarizers: [scriptedSummarizer(script)],
    template: "structured",
    turn: 1,
    clock: () => 0,
    ...options,
  });
}

test("gives what the summary tells, line by line", async () => {
  const narration = await asked(["[CONTEXT SUMMARY]: The parser was fixed.\n\nsrc/parser.ts was changed."]);
  expect(narration.story).toEqual(["The parser was fixed.", "src/parser.ts was changed."]);
  expect(narration).toMatchObject({ summarizer: "scripted", attempts: [{ summarizer: "scripted" }] });
  expect(narration.error).toBeUndefined();
});

test("what a summary invents is struck, but what stands anywhere in the conversation may be named", async () => {
  const told = "Changed src/parser.ts. Changed src/made/up_1.ts. Then looked at src/later.ts.";
  const later = conversation(user("See src/later.ts.")).messages;
  const { story, audit } = await asked([told], { messages: [...messages, ...later] });
  expect(story).toContain("Changed src/parser.ts. Then looked at src/later.ts.");
  expect(audit?.invented).toEqual(["src/made/up_1.ts"]);
});

test("[F49 R33] a summary that is mostly invented is a failure, and the next summarizer is asked", async () => {
  const first = scriptedSummarizer(["Made a_1.ts. Made b_2.ts."], { name: "first" });
  const second = scriptedSummarizer(["Changed src/parser.ts."], { name: "second" });
  const { summarizer, attempts, audit, state } = await asked([], { summarizers: [first, second] });
  expect(summarizer).toBe("second");
  expect(attempts).toMatchObject([{ summarizer: "first", failure: "malformed" }, { summarizer: "second" }]);
  expect(audit?.invented).toEqual([]);
  expect(state.cooldowns).toMatchObject([{ summarizer: "first", failure: "malformed" }]);
});

test("[R30] without a summary there are no lines, and the error says why", async () => {
  const refused = await asked(["Made a_1.ts. Made b_2.ts."]);
  expect(refused.story).toEqual([]);
  expect(refused.summarizer).toBeUndefined();
  expect(refused.audit?.invented).toEqual(["a_1.ts", "b_2.ts"]);
  expect(refused.error?.failure).toBe("malformed");
  expect(refused.attempts[0]?.message).toMatch(/2 of its 2 sentences .* a_1\.ts/);

  const failed = await asked([{ fail: "timeout" }]);
  expect(failed).toMatchObject({ story: [], error: { failure: "timeout" } });
  expect(failed.audit).toBeUndefined();
});

test("[R34] a turn that has tried three times is not tried again", async () => {
  const state = { cooldowns: [], attempts: { turn: 1, count: 3 } };
  const { attempts, error } = await asked(["Fine."], { state });
  expect(attempts).toEqual([]);
  expect(error?.message).toContain("3 times");
});

test("[R33] the prompt is cut to the window of the summarizer that is asked, and carries template and focus", async () => {
  const long = conversation(user("Read on."), assistant("word ".repeat(30_000)), user("And now?")).messages;
  const narrow = scriptedSummarizer([{ fail: "other" }], { name: "narrow", window: 8_000 });
  const wide = scriptedSummarizer(["They read on."], { name: "wide" });
  await asked([], {
    span: long,
    messages: long,
    summarizers: [narrow, wide],
    template: "neutral",
    focus: "the reading",
  });
  const counter = createTokenCounter();
  expect(counter.text(narrow.calls[0]!.prompt)).toBeLessThan(8_000);
  expect(wide.calls[0]!.prompt.length).toBeGreaterThan(narrow.calls[0]!.prompt.length);
  expect(wide.calls[0]!.prompt).toContain("neutral perspective");
  expect(wide.calls[0]!.prompt).toContain('"the reading"');
});

test("a wait that the caller ends is nobody's failure", async () => {
  const giveUp = new AbortController();
  giveUp.abort();
  const { story, error, state } = await asked([{ hang: true }], { signal: giveUp.signal });
  expect(story).toEqual([]);
  expect(error?.failure).toBe("aborted");
  expect(state.cooldowns).toEqual([]);
});

test("a summarizer that takes too long has failed", async () => {
  const { error } = await asked([{ hang: true }], { timeoutMs: 5 });
  expect(error?.failure).toBe("timeout");
});

test("[R15] results that travel under the user's role are no user: a summary that tells of a request is rejected", async () => {
  const all = anthropicConversation(
    user("Go on."),
    assistant("", call("Read", { file_path: "a.ts" })),
    result("const a = 1;"),
  ).messages;
  const { error } = await asked(["The user asked for a release."], { span: all.slice(1), messages: all });
  expect(all[2]?.role).toBe("user");
  expect(error?.failure).toBe("malformed");
});

const told = (...lines: readonly string[]) =>
  ["[SUMMARY]: ## Progress", ...lines, "[End of hand-off]"].join("\n");

test("[R15] a user that an earlier hand-off tells of may be told of, and its role alone makes no user", async () => {
  const known = conversation(
    assistant(told("The user asked for a release.")),
    assistant("Going on."),
  ).messages;
  const release = "The user asked for a release.";
  expect((await asked([release], { span: known, messages: known })).story).toEqual([release]);
  const nobody = conversation(user(told("It went on.")), assistant("Going on.")).messages;
  expect((await asked([release], { span: nobody, messages: nobody })).error?.failure).toBe("malformed");
});

const room = {
  tokens: 40,
  mostTokens: 50,
  missingTokens: 0,
  beside: "## Story so far\n(your text will stand here)",
};
const long = Array.from({ length: 12 }, (_, at) => `Step ${at} of the parser was done.`).join("\n");

test("the prompt names the room in tokens and words, and shows what stands beside the text and what the record shows", async () => {
  const summarizer = scriptedSummarizer(["The parser was fixed."]);
  await asked([], {
    summarizers: [summarizer],
    template: "story",
    room,
    checklist: ["src/parser.ts: edited"],
  });
  const { prompt, targetTokens } = summarizer.calls[0]!;
  expect(targetTokens).toBe(40);
  expect(prompt).toContain("Your room is 40 tokens, about 20 words.");
  expect(prompt).toContain(`\n${room.beside}\n`);
  expect(prompt).toContain("\n- src/parser.ts: edited\n");
});

test("a text that is too long is asked for once more, shorter, by whoever wrote it", async () => {
  const summarizer = scriptedSummarizer([long, "The parser was fixed step by step."]);
  const { story, attempts } = await asked([], { summarizers: [summarizer], room });
  expect(story).toEqual(["The parser was fixed step by step."]);
  expect(summarizer.calls[1]!.prompt).toContain(`there is room for 40.`);
  expect(summarizer.calls[1]!.prompt).toContain(long);
  expect(attempts).toHaveLength(2);
});

test("where the second text is no shorter, or there is none, the first one stands", async () => {
  const lines = long.split("\n");
  expect((await asked([long, `${long}\nAnd more.`, "Third."], { room })).story).toEqual(lines);
  expect((await asked([long, { fail: "timeout" }], { room })).story).toEqual(lines);
});

test("the story template shows the turns whole, however long they are, unless the window is known to be small", async () => {
  const text = `${"word ".repeat(20_000)}needle ${"word ".repeat(20_000)}`;
  const many = conversation(user("Read on."), assistant(text), user("And now?")).messages;
  const promptOf = async (window?: number) => {
    const summarizer = scriptedSummarizer(["They read on."], window === undefined ? {} : { window });
    await asked([], { span: many, messages: many, summarizers: [summarizer], template: "story" });
    return summarizer.calls[0]!.prompt;
  };
  expect(await promptOf()).toContain("needle");
  expect(await promptOf(8_000)).not.toContain("needle");
});

test("an earlier story is to be told on paragraph by paragraph, and what a text drops of it is put back", async () => {
  const story = [1, 2, 3].map((at) => `${at}. Part ${at} went into src/part-${at}.ts.`);
  const known = conversation(
    user(
      `[Pith hand-off] Past reference:\n## Story so far\n[0] Earlier summary: ${story.join("\n")}\n(open)\n[End of hand-off]`,
    ),
    assistant("Going on in src/part-4.ts."),
  ).messages;
  const summarizer = scriptedSummarizer(["2. Part 2.\n> > 4. Answer: it is in src/part-4.ts."]);
  const large = { ...room, tokens: 300, mostTokens: 350 };
  const options = { span: known, messages: known, template: "story", room: large } as const;
  const told = await asked([], { ...options, summarizers: [summarizer] });
  expect(told.story).toEqual([...story, "4. Answer: it is in src/part-4.ts."]);
  expect(summarizer.calls[0]!.prompt).toContain("paragraph by paragraph under the same numbers");
  const other = await asked(["It is in src/part-4.ts."], { ...options, template: "structured" });
  expect(other.story).toEqual(["It is in src/part-4.ts."]);
});
