/** Adaptive salience through the front door: what the agent recalls and uses is kept more readily afterwards. */
import { expect, test } from "vitest";
import { memoryArchive } from "../src/archive/memory.ts";
import { type CompactorOptions, createCompactor } from "../src/index.ts";
import { assistant, call, rawConversation, result, user, type WireMessage } from "../src/testing/builders.ts";
import { type Lessons, weightOf } from "../src/weights/lessons.ts";
import { isEngine } from "./planner-signs.ts";

/** A session in which tickets are looked up: each answer has an id that nobody repeats. */
const lookups = (from: number, count: number): readonly WireMessage[] =>
  Array.from({ length: count }, (_, at) => [
    assistant("", call("get_ticket", { number: from + at })),
    result(
      `Ticket ${from + at} is assigned to agent-${7000 + from + at}.\n${"Nothing else to say here.\n".repeat(8)}`,
    ),
  ]).flat();

const first = rawConversation(user("Go through the tickets, one by one."), ...lookups(100, 40));

async function session(options: CompactorOptions) {
  const compactor = createCompactor({ target: "50%", archive: memoryArchive(), clock: () => 1, ...options });
  const once = await compactor.compact(first, { target: "10%", conversationId: "tickets" });
  const kept = JSON.stringify(once.messages);
  const lost = Array.from({ length: 40 }, (_, at) => `agent-${7100 + at}`).filter((id) => !kept.includes(id));
  const opened = lost
    .slice(0, 20)
    .flatMap((id, at) => [
      assistant("", call("mcp__pith__recall_expand", { id: "pith:00000000" }, `open_${at}`)),
      result(`Ticket is assigned to ${id}, see also unused-${at}99.`, { id: `open_${at}` }),
      assistant(`It was ${id}.`),
    ]);
  const next = [...(once.messages as readonly WireMessage[]), ...opened, user("Go on."), ...lookups(200, 20)];
  const wire = rawConversation(...next);
  const again = await compactor.compact(wire, { target: "20%", conversationId: "tickets" });
  expect(again.report.error).toBeUndefined();
  return { lost, once, again };
}

test("[F19] counts what was recalled and used, by kind, speaker and tool, and nothing that was only shown", async () => {
  const { lost, once, again } = await session({ adaptive: true });
  expect(lost.length).toBeGreaterThan(20);
  const { traits: before } = once.state.lessons!;
  expect(before["kind:id"]!.dropped).toBeGreaterThanOrEqual(lost.length);
  expect(before["kind:id"]!.needed).toBe(0);
  const { traits, heard } = again.state.lessons!;
  expect(
    [traits["kind:id"], traits["by:tool"], traits["tool:get_ticket"]].map((each) => each?.needed),
  ).toEqual([20, 20, 20]);
  expect(heard).toHaveLength(20);
});

test("[F19] each recall teaches once, however often the conversation is compacted", async () => {
  const archive = memoryArchive();
  const compactor = createCompactor({ target: "50%", archive, adaptive: true, clock: () => 1 });
  const { again } = await session({ adaptive: true, archive });
  const needed = again.state.lessons!.traits["kind:id"]!.needed;
  const wire = again.messages as readonly WireMessage[];
  const third = await compactor.compact(rawConversation(...wire, ...lookups(300, 10)), {
    target: "50%",
    conversationId: "tickets",
  });
  expect(third.report.compacted).toBe(true);
  expect(third.state.lessons!.traits["kind:id"]!.needed).toBe(needed);
});

test("[F19] is off by default and deterministic when on", async () => {
  const [plain, on, twice] = await Promise.all([
    session({}),
    session({ adaptive: true }),
    session({ adaptive: true }),
  ]);
  expect(plain.again.state.lessons).toBeUndefined();
  expect(plain.once.messages).toEqual(on.once.messages);
  expect(on.again.messages).toEqual(twice.again.messages);
  expect(on.again.state.lessons).toEqual(twice.again.state.lessons);
});

// The engine has no weights: with it the words of what was recalled count as asked for (test/engine.test.ts).
test.skipIf(isEngine)("[F19] lessons of a trait change what is kept", async () => {
  const loves = (trait: string): Lessons => ({
    version: 1,
    traits: {
      "kind:id": { dropped: 100, expected: 20, needed: 20 },
      "kind:path": { dropped: 100, expected: 20, needed: 20 },
      [trait]: { dropped: 100, expected: 20, needed: 400 },
    },
    heard: [],
  });
  const mixed = rawConversation(
    user("Look at the tickets and the hosts."),
    ...Array.from({ length: 40 }, (_, at) => [
      assistant("", call(at % 2 ? "get_host" : "get_ticket", { number: at })),
      result(
        `${at % 2 ? "Host" : "Case"} ${at} goes to item-${4000 + at}.\n${"Nothing else to say.\n".repeat(6)}`,
      ),
    ]).flat(),
    user("Go on."),
  );
  const keptOf = async (adaptive: Lessons) => {
    const { messages: output } = await createCompactor({ target: "50%", adaptive }).compact(mixed, {
      target: "12%",
    });
    const text = JSON.stringify(output);
    const ids = Array.from({ length: 40 }, (_, at) => at).filter((at) => text.includes(`item-${4000 + at}`));
    return { hosts: ids.filter((at) => at % 2).length, tickets: ids.filter((at) => at % 2 === 0).length };
  };
  const hosts = await keptOf(loves("tool:get_host"));
  const tickets = await keptOf(loves("tool:get_ticket"));
  expect(hosts.hosts).toBeGreaterThan(tickets.hosts);
  expect(tickets.tickets).toBeGreaterThan(hosts.tickets);
  expect(weightOf(loves("tool:get_host"), ["tool:get_host"])).toBe(2);
});

test("[F19] forgets when the state comes without lessons, and wants an archive to learn from", async () => {
  const { again } = await session({ adaptive: true });
  const { lessons: _, ...reset } = again.state;
  const compactor = createCompactor({ target: "50%", adaptive: true, archive: memoryArchive() });
  const fresh = await compactor.compact(first, { target: "10%", state: { ...reset, compactions: 0 } });
  expect(fresh.state.lessons!.traits["kind:id"]!.needed).toBe(0);
  expect(() => createCompactor({ target: "50%", adaptive: true })).toThrow("give an archive");
});

test("[F19] gptme's sentences are scored by what was learned: those of the kind that had to be recalled stay", async () => {
  const sentence = (at: number) =>
    at % 2
      ? `The assigned person of the item in this part of the list is agent-${7100 + at} as far as known.`
      : `The item in this part of the list has a name that is spelled as in modules/part${at}.ts here.`;
  const long = Array.from({ length: 60 }, (_, at) => sentence(at)).join(" ");
  const chat = [user("Go on."), assistant("Yes."), user("And?"), assistant("Yes."), user("Now?")];
  const messages = [user("List them."), assistant(long), ...chat];
  const { report: whole } = await createCompactor({ target: "50%" }).compact(messages, { target: 1e6 });
  const kept = async (learned?: Lessons) => {
    const options = { preset: "gptme", window: 2 * whole.promptTokensBefore, reserve: 0 } as const;
    const { messages: output, report } = await createCompactor({
      ...options,
      ...(learned && { adaptive: learned }),
    }).compact(messages);
    expect(report.stages.map(({ stage }) => stage)).toEqual(["extract-sentences"]);
    const text = String((output as readonly WireMessage[])[1]!.content);
    return [text.match(/agent-\d+/g)!.length, text.match(/part\d+\.ts/g)!.length];
  };
  const taught = (trait: string, other: string): Lessons => ({
    version: 1,
    heard: [],
    traits: {
      [trait]: { dropped: 1_000, expected: 20, needed: 60 },
      [other]: { dropped: 1_000, expected: 20, needed: 0 },
    },
  });
  const [ids, paths] = await kept();
  expect(Math.abs(ids! - paths!)).toBeLessThan(5);
  const [moreIds, fewerPaths] = await kept(taught("kind:id", "kind:path"));
  expect([moreIds, fewerPaths! < paths!]).toEqual([30, true]);
  expect(await kept(taught("kind:path", "kind:id"))).toEqual([fewerPaths, 30]);
});
