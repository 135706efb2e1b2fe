import { expect, test } from "vitest";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import type { Edit, Plan } from "../plan/plan.ts";
import { system, user } from "../testing/builders.ts";
import { readingSession } from "../testing/reading-session.ts";

const messages = readingSession(20, system("You are an agent."));
const changed = (plan: Plan, change: (edit: Edit) => readonly Edit[]): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, edits: step.edits.flatMap(change) })),
});

test.each(["25%", "70%"] as const)(
  "at %s what is previewed is what compact gives, and nothing is archived by looking",
  async (target) => {
    const archive = memoryArchive();
    const compactor = createCompactor({ target: "50%", archive });
    const preview = await compactor.preview(messages, { target });
    expect(await archive.conversations!()).toEqual([]);
    const stored = JSON.parse(JSON.stringify(preview.plan)) as Plan;
    const applied = await compactor.apply(messages, stored, { conversationId: "c" });
    expect(applied.report.error).toBeUndefined();
    expect(applied.messages).toEqual(preview.messages);
    expect(applied.messages).toEqual((await compactor.compact(messages, { target })).messages);
    expect((await archive.conversations!()).map(({ id }) => id)).toContain("c");
    expect((await archive.verify!()).faults).toEqual([]);
  },
);

test("thinking that was said between tags is archived where a plan that was kept leaves it out", async () => {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: "50%", archive });
  const thought = "I see that the parser is private, so there are several ways to get at it. ".repeat(60);
  const thinking = messages.map((message, at) =>
    at === 4
      ? { ...message, content: `<thinking>\n${thought}\n</thinking>\nIt is in src/parse.ts.` }
      : message,
  );
  const { plan } = await compactor.preview(thinking, { target: "95%" });
  const id = /thinking left out: (pith:\w+)/.exec(JSON.stringify(plan))![1]!;
  const stored = JSON.parse(JSON.stringify(plan)) as Plan;
  const { report } = await compactor.apply(thinking, stored, { conversationId: "c" });
  expect(report.error).toBeUndefined();
  expect(JSON.stringify(await archive.get(id))).toContain("the parser is private");
});

test("an edit that is left out leaves its message as it was", async () => {
  const compactor = createCompactor({ target: "50%", archive: memoryArchive() });
  const { plan } = await compactor.preview(messages, { target: "25%" });
  // A whole group: the user's question, the call, its result and the answer.
  const kept = [5, 6, 7, 8];
  const edited = changed(plan, (edit) =>
    edit.kind === "remove" && kept.includes(edit.position) ? [] : [edit],
  );
  const { messages: output, report } = await compactor.apply(messages, edited);
  expect(report.compacted).toBe(true);
  for (const position of kept) expect(output).toContain(messages[position]);
});

test("a hand-off is taken as it was rewritten, but not with an id that nobody can expand", async () => {
  const compactor = createCompactor({ target: "50%", archive: memoryArchive() });
  const { plan } = await compactor.preview(messages, { target: "25%" });
  const rewritten = (extra: string) =>
    changed(plan, (edit) => {
      if (edit.kind === "remove") return [edit];
      const parts = edit.message.parts.map((part) =>
        part.type === "text"
          ? { ...part, text: part.text.replace("## Story so far", `## Story so far\n${extra}`) }
          : part,
      );
      return [{ ...edit, message: { ...edit.message, parts } }];
    });
  const { messages: output, report } = await compactor.apply(messages, rewritten("Mind the gap."));
  expect(report.compacted).toBe(true);
  expect(JSON.stringify(output)).toContain("Mind the gap.");
  const invented = await compactor.apply(messages, rewritten("See pith:zzzzzzzzzzzz."));
  expect(invented.messages).toBe(messages);
  expect(invented.report.error?.message).toContain("pith:zzzzzzzzzzzz");
});

test("a plan for another conversation, an invalid one and one that saves nothing are refused, and the original stays", async () => {
  const compactor = createCompactor({ target: "50%", archive: memoryArchive() });
  const { plan } = await compactor.preview(messages, { target: "25%" });
  const other = messages.map((message, at) => (at === 5 ? user("Something else.") : message));
  expect((await compactor.apply(other, plan)).report.error).toMatchObject({ code: "PLAN_STALE" });
  const broken = changed(plan, (edit) => (edit.kind === "remove" && edit.position === 6 ? [] : [edit]));
  const refused = await compactor.apply(messages, broken);
  expect(refused.messages).toBe(messages);
  expect(refused.report.error?.message).toContain("would not be valid");
  const empty = await compactor.apply(messages, { ...plan, steps: [] });
  expect(empty.report.error?.message).toContain("nothing to gain");
});

test("signed thinking beside what the plan changes is the very block that came in", async () => {
  const steps = Array.from({ length: 8 }, (_, at) => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: `Step ${at}.`, signature: `signed-${at}` },
        {
          type: "tool_use",
          id: `call-${at}`,
          name: "write",
          input: { path: `${at}.ts`, text: "line\n".repeat(400) },
        },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `call-${at}`, content: `Wrote ${at}.` }] },
  ]).flat();
  const body = JSON.stringify({ messages: [{ role: "user", content: "Write them all." }, ...steps] });
  const compactor = createCompactor({ target: "50%", archive: memoryArchive(), format: "anthropic" });
  const preview = await compactor.preview(body, { target: "60%" });
  const applied = await compactor.apply(body, JSON.parse(JSON.stringify(preview.plan)) as Plan);
  expect(applied.report.error).toBeUndefined();
  expect(applied.body).toBe(preview.body);
  expect(String(applied.body)).toContain('"signature":"signed-7"');
});
