import { expect, test } from "vitest";
import { agentTools } from "../adapters/agent-tools.ts";
import { createSessions } from "../adapters/sessions.ts";
import { importConversation } from "../archive/import-conversation.ts";
import { memoryArchive } from "../archive/memory.ts";
import { createCompactor } from "../compactor.ts";
import type { CompactorOptions } from "../run/options.ts";
import { assistant, user } from "../testing/builders.ts";

const messages = [user("Which port is free?"), assistant("Port 48213 is free, 8080 is not.")];
const names = (tools: readonly unknown[]) =>
  tools.map(
    (tool) =>
      (tool as { function?: { name: string }; name?: string }).function?.name ??
      (tool as { name: string }).name,
  );

test("[F75 F79] recall is offered where there is an archive, compress_context where the policy is agent-controlled", async () => {
  const archive = memoryArchive();
  const recall = ["recall_search", "recall_expand"];
  expect(names((await createCompactor({ target: "50%", archive }).tools(messages)).definitions)).toEqual(
    recall,
  );
  expect(
    names(
      (await createCompactor({ window: 8_000, archive, preset: "synthorg-agent" }).tools(messages))
        .definitions,
    ),
  ).toEqual(["compress_context", ...recall]);
  expect(
    names((await createCompactor({ target: "50%", archive }).tools({ input: messages })).definitions),
  ).toEqual(recall);
  const { definitions } = await createCompactor({ target: "50%", archive, format: "anthropic" }).tools({
    messages,
  });
  expect(definitions[0]).toMatchObject({ name: "recall_search", input_schema: { type: "object" } });
});

test("calls are answered, by parsed arguments or JSON text; bad ones are told what is wrong; other tools are not ours", async () => {
  const archive = memoryArchive();
  await importConversation(archive, { conversationId: "c", body: messages, at: 0 });
  const compactor = createCompactor({ target: "50%", archive });
  const { run } = await compactor.tools(messages);
  const other = await compactor.tools(messages, { conversationId: "other" });
  expect(await run("recall_search", { query: "free port" })).toContain("48213");
  expect(await other.run("recall_search", '{"query":"free port"}')).not.toContain("48213");
  expect(await run("recall_expand", { id: "pith:zzzzzzzzzzzz" })).toContain("pith:zzzzzzzzzzzz");
  expect(await run("recall_search", "{broken")).toContain("recall_search");
  expect(await run("read_file", {})).toBeUndefined();
  await archive.close!();
  expect(await run("recall_search", { query: "port" })).toContain("closed");
  expect(
    await (await createCompactor({ target: "50%" }).tools(messages)).run("recall_search", { query: "port" }),
  ).toBeUndefined();
});

test.each<[CompactorOptions, boolean]>([
  [{ preset: "synthorg-agent", window: 8_000 }, true],
  [{ preset: "balanced", window: 8_000 }, false],
  [{ preset: "synthorg-agent+debug", window: 8_000 }, false],
  [{ preset: "synthorg-agent", window: 8_000, target: "50%" }, false],
])(
  "[F75] compress_context is offered and answered only where a request is acted on: %j",
  async (options, isOffered) => {
    const archive = memoryArchive();
    const { definitions, run } = await createCompactor({ ...options, archive }).tools(messages);
    expect(names(definitions).includes("compress_context")).toBe(isOffered);
    const answer = await run("compress_context", { reason: "done" });
    expect(answer?.split("\n")[0]).toBe(isOffered ? "Compaction requested: done" : undefined);
    const sessions = createSessions({ ...options, archive });
    expect(names(agentTools(sessions, options)).includes("compress_context")).toBe(isOffered);
    expect(await sessions.runTool("compress_context", { reason: "done" })).toBe(answer?.split("\n")[0]);
  },
);

test.each([{}, { reason: "" }, { reason: " \n\t " }, { reason: 3 }, '{"reason":" "}', "{broken", null])(
  "[F83] a blank reason is refused by the tool itself: %j",
  async (given) => {
    const { run } = await createCompactor({ window: 8_000, preset: "synthorg-agent" }).tools(messages);
    const said = await run("compress_context", given);
    expect(said).toContain("needs a reason");
    expect(said).not.toContain("requested");
  },
);

test.each(["delete", "archived", 7, ["archive"], { archive: true }])(
  "[F73] a strategy that there is not is refused by the tool itself, with those that there are: %j",
  async (strategy) => {
    const { run } = await createCompactor({ window: 8_000, preset: "synthorg-agent" }).tools(messages);
    const said = await run("compress_context", { reason: "done", strategy });
    expect(said?.split("\n")[0]).toBe(
      'compress_context has no such strategy: give "summarize" or "archive", or leave it out.',
    );
  },
);

test.each([undefined, null, "summarize", "archive"])("[F73] the strategy %j is one", async (strategy) => {
  const { run } = await createCompactor({ window: 8_000, preset: "synthorg-agent" }).tools(messages);
  const said = await run("compress_context", { reason: "done", strategy });
  expect(said?.split("\n")[0]).toBe("Compaction requested: done");
});

test("[F73] a request that the caller hands over with a strategy that there is not is refused by name", async () => {
  const requested = { callId: "c1", strategy: "delete", preserveMarkers: true, reason: "done" };
  const { report, messages: output } = await createCompactor({ window: 8_000 }).compact(messages, {
    requested: requested as never,
  });
  expect(report.error).toMatchObject({ code: "INVALID_OPTIONS", option: "requested" });
  expect(output).toBe(messages);
});

test("[F83] a request that the caller hands over with a blank reason is refused by name", async () => {
  const requested = { callId: "c1", strategy: "summarize", preserveMarkers: true, reason: "  " } as const;
  const { report, messages: output } = await createCompactor({ window: 8_000 }).compact(messages, {
    requested,
  });
  expect(report.error).toMatchObject({ code: "INVALID_OPTIONS", option: "requested" });
  expect(output).toBe(messages);
});
