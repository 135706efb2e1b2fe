import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { memoryArchive } from "../archive/memory.ts";
import { writeTo } from "../archive/ready-write.ts";
import { createCompactor } from "../index.ts";
import { assistant, call, rawConversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { recallExpand } from "./expand.ts";
import { oneConversation } from "./one-conversation.ts";
import { rawOriginal } from "./raw-original.ts";
import { RECALL_EXPAND, recallTools, runRecallTool } from "./tools.ts";

const counter = createTokenCounter();

const turn = (at: number) =>
  rawConversation(
    user(`Please read log ${at}.`),
    assistant(`I open log ${at}.`, call("Bash", { command: `cat ${at}.log` }, `c${at}`)),
    result(Array.from({ length: 40 }, (_, line) => `job ${at}-${line} took ${line * 7 + at} ms`).join("\n"), {
      id: `c${at}`,
    }),
    assistant(`Log ${at} has ${at * 3} warnings.`),
  );

interface Compacted {
  readonly archive: Archive;
  /** The hand-off's id, and its text. */
  readonly id: string;
  readonly text: string;
}

/** A conversation of so many turns, compacted whenever three came to it. */
async function compacted(turns: number, keepsState = true): Promise<Compacted> {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: "50%", archive, clock: () => 0 });
  let body: readonly unknown[] = [];
  for (let at = 1; at <= turns; at++) {
    body = [...body, ...turn(at)];
    if (at % 3 > 0) continue;
    const call = keepsState ? { conversationId: "logs" } : {};
    const { messages: output, report } = await compactor.compact(body, { target: 900, ...call });
    expect(report.error).toBeUndefined();
    body = output as readonly unknown[];
  }
  const text = JSON.stringify(body);
  return { archive, id: /All of it in full: (pith:\w+)/.exec(text)![1]!, text };
}

test.each([true, false])(
  "[R35] a turn opens under the hand-off's id and the number that the story prints, through every compaction before (%s)",
  async (keepsState) => {
    const { archive, id, text } = await compacted(18, keepsState);
    expect(text).toContain("add #7 for turn 7");
    const printed = [...text.matchAll(/\[(\d+)\] User: Please read log (\d+)\./g)];
    expect(printed.length).toBeGreaterThan(10);
    for (const [, number, log] of printed) {
      const { found, text: opened } = await recallExpand(archive, { id: `${id}#${number}`, maxTokens: 4000 });
      expect(found).toBe(true);
      expect(opened).toMatch(/^\[user, pith:\w+\]\n/);
      expect(opened).toContain(`Please read log ${log}.`);
      expect(opened).toContain(`job ${log}-39 took`);
      expect(opened).not.toContain("[Pith hand-off]");
      expect(opened).not.toContain(`job ${Number(log) + 1}-0 took`);
    }
  },
);

test("[R35] for programs a turn is the JSON list of its messages, and several turns are one list", async () => {
  const { archive, id } = await compacted(9);
  const messages = JSON.parse((await rawOriginal(archive, `${id}#2`))!.text);
  expect(messages).toEqual(turn(2));
  const both = JSON.parse((await rawOriginal(archive, `${id}#1-2`))!.text);
  expect(both).toEqual([...turn(1), ...turn(2)]);
});

test("[R35] a step is what was said at once, with the results of its calls", async () => {
  const { archive, id } = await compacted(9);
  const step = async (name: string) => (await recallExpand(archive, { id: `${id}#${name}` })).text;
  expect(await step("2.1")).toContain("Please read log 2.");
  expect(await step("2.2")).toMatch(/I open log 2\..*job 2-0 took.*job 2-39 took/s);
  expect(await step("2.3")).toContain("Log 2 has 6 warnings.");
});

test("[R35] what would not fit is told by its turns or steps first, each with the name that opens it", async () => {
  const { archive, id } = await compacted(30);
  const all = await recallExpand(archive, { id, maxTokens: 1000 });
  expect(counter.text(all.text)).toBeLessThanOrEqual(1000);
  expect(all.text).toMatch(/^#1 Please read log 1\.\n#2 Please read log 2\.\n/);
  expect(all.text).toContain(`open one as ${id}#1`);
  const few = await recallExpand(archive, { id, maxTokens: 200 });
  expect(counter.text(few.text)).toBeLessThanOrEqual(200);
  const rest = /more turns: (pith:\w+#\d+-\d+)\]$/.exec(few.text)![1]!;
  const next = await recallExpand(archive, { id: rest, maxTokens: 300 });
  expect(next.text.startsWith(`#${/#(\d+)/.exec(rest)![1]} `)).toBe(true);
  const steps = await recallExpand(archive, { id: `${id}#4`, maxTokens: 250 });
  expect(steps.text).toMatch(/^#4\.1 user: Please read log 4\.\n#4\.2 assistant: I open log 4\./);
  expect(counter.text(steps.text)).toBeLessThanOrEqual(250);
});

test("[R35] the tools open turns at every door, and only those of the conversation that the door is about", async () => {
  const { archive, id } = await compacted(9);
  const given = { id: `${id}#2`, max_tokens: 4000 };
  const answers = await Promise.all(
    [archive, oneConversation(archive, "logs"), oneConversation(archive, "others")].map((each) =>
      runRecallTool(recallTools(each), RECALL_EXPAND, given),
    ),
  );
  expect(answers.map((answer) => answer?.isError)).toEqual([false, false, true]);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]!.text).toContain("job 2-39 took");
  const compactor = createCompactor({ target: "50%", archive });
  expect(await (await compactor.tools([])).run(RECALL_EXPAND, given)).toBe(answers[0]!.text);
});

test("[R35] lines of a turn are found by grep", async () => {
  const { archive, id } = await compacted(9);
  const { text, total } = await recallExpand(archive, { id: `${id}#5`, grep: "5-7 took" });
  expect(text).toContain("job 5-7 took 54 ms");
  expect(total).toBe(1);
});

test("[R35] a part that is not there is answered with those that are", async () => {
  const { archive, id } = await compacted(9);
  const text = archiveItem("text", "plain");
  await writeTo(archive, { conversation: "logs", at: 1, items: [text] });
  const answer = async (name: string) => {
    const { found, text: said } = await recallExpand(archive, { id: name });
    expect(found).toBe(false);
    return said;
  };
  expect(await answer(`${id}#99`)).toMatch(/^Nothing is archived under \S+#99: its turns are 1 to \d\.$/);
  expect(await answer(`${id}#2.9`)).toBe(`Nothing is archived under ${id}#2.9: its steps are 1 to 3.`);
  expect(await answer(`${text.id}#1`)).toContain(`has no numbered turns, open it as ${text.id}.`);
  expect(await answer("pith:000000000000#1")).toContain("pith:000000000000 is not known.");
  expect(await answer(`${id}#x`)).toBe(`Nothing is archived under ${id}#x.`);
  expect(await rawOriginal(archive, `${id}#99`)).toBeUndefined();
});

test("[R35] of a span whose turns have no numbers, as earlier releases wrote them, the first page comes", async () => {
  const archive = memoryArchive();
  const messages = Array.from({ length: 40 }, (_, at) =>
    archiveItem("message", JSON.stringify({ role: "user", content: `Line ${at}. `.repeat(30) })),
  );
  const span = archiveItem("span", messages.map(({ id }) => id).join("\n"));
  await archive.put({ conversation: "old", at: 1, items: [...messages, span] });
  const { text, next } = await recallExpand(archive, { id: span.id, maxTokens: 300 });
  expect(text).toContain("Line 0.");
  expect(next).toBeGreaterThan(0);
});
