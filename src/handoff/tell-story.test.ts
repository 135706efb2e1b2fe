import { expect, test } from "vitest";
import { END_MARKER } from "../conversation/handoffs/prefixes.ts";
import { readTurns } from "../reading/read-turns.ts";
import { usedLater } from "../reading/used-later.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { readStory } from "./read-story.ts";
import { type Story, weightsOf } from "./story.ts";
import { askEntry, type TellOptions, tellStory } from "./tell-story.ts";
import { writeStory } from "./write-story.ts";

function tell(messages: readonly WireMessage[], options: Partial<TellOptions> = {}): Story {
  const { messages: all } = conversation(...messages);
  return tellStory(readTurns(all), {
    used: usedLater(all),
    goesOn: false,
    lastSaid: Number.POSITIVE_INFINITY,
    answered: false,
    ...options,
  });
}
const standings = (story: Story) => story.map(({ number, standing }) => [number, standing]);
const asks = (story: Story) =>
  story.flatMap(({ entries }) =>
    entries.flatMap(({ voice, units }) =>
      voice === "user" ? [units.map(({ text }) => text).join("\n")] : [],
    ),
  );
const handoff = (...lines: readonly string[]) =>
  user(["[Pith hand-off] Past reference:", "## Story so far", ...lines, END_MARKER].join("\n"));
const run = (command: string, output: string) => [assistant("", call("Bash", { command })), result(output)];

test("nothing that happened gives no story", () => {
  expect(tellStory([], { used: () => false, goesOn: false, lastSaid: 0, answered: false })).toEqual([]);
  expect(tell([{ role: "user", content: null }])).toEqual([]);
});

test("[R10 R12] how an ask stands is what the record shows", () => {
  const story = tell([
    user("One?"),
    assistant("One."),
    user("Two?"),
    assistant("Looking.", call("read", { path: "a" })),
    result("x"),
    user("[Request interrupted by user]"),
    user("Three?"),
    ...run("make", "ok"),
    user("Four?"),
    ...run("make", "ok"),
  ]);
  expect(standings(story)).toEqual([
    [1, "answered"],
    [2, "interrupted"],
    [3, "replaced"],
    [4, "open"],
  ]);
});

test("that words are not shown was not said", () => {
  const written = writeStory(
    tell([user("One?"), assistant("[not shown: pith:7l0nhioag4ku]"), ...run("make", "ok")]),
  );
  expect(written).not.toContain("not shown");
});

test("the last turn is open, answered or goes on below, by what the caller sees", () => {
  const begun = [user("One?"), ...run("make", "ok")];
  expect(standings(tell(begun))).toEqual([[1, "open"]]);
  expect(standings(tell(begun, { answered: true }))).toEqual([[1, "answered"]]);
  expect(standings(tell(begun, { goesOn: true }))).toEqual([[1, "open below"]]);
  expect(standings(tell([user("One?"), assistant("One.")], { goesOn: true }))).toEqual([[1, "open below"]]);
  expect(standings(tell(begun, { goesOn: true, answered: true }))).toEqual([[1, "goes on below"]]);
});

test("words that a result follows answer nothing, also a result in the user's name, also one that stays", () => {
  const begun = [user("Count them."), assistant("I run count.py first.")];
  const printed = user("12 rows\n(Open file: n/a)\n(Current directory: /app)\nbash-$");
  const voices = (story: Story) => story[0]!.entries.map(({ voice }) => voice);
  const story = tell([...begun, printed]);
  expect(standings(story)).toEqual([[1, "open"]]);
  expect(voices(story)).toEqual(["user", "agent", "deed"]);
  const { messages } = conversation(...begun, printed);
  const options = { used: () => false, goesOn: false, lastSaid: 0, answered: false };
  const below = tellStory(
    readTurns(messages, ({ position }) => position === 2),
    options,
  );
  const notice = user("<local-command-stdout>12 rows</local-command-stdout>");
  expect(standings(tell([...begun, notice]))).toEqual([[1, "answered"]]);
  expect(standings(below)).toEqual([[1, "open below"]]);
  expect(voices(below)).toEqual(["user", "agent"]);
  expect(standings(tell([...begun, printed, user("And these?")]))[0]).toEqual([1, "answered"]);
});

test("a turn whose answer stays below is not told as one without an answer, whatever was asked next", () => {
  const { messages } = conversation(
    user("One?"),
    ...run("make", "ok"),
    assistant("One."),
    user("Two?"),
    assistant("2"),
  );
  const below = (from: number) =>
    standings(
      tellStory(
        readTurns(messages, ({ position }) => position >= from),
        { used: () => false, goesOn: true, lastSaid: 0, answered: true },
      ),
    );
  expect(below(3)).toEqual([[1, "goes on below"]]);
  expect(below(4)).toEqual([[1, "answered"]]);
  const later = conversation(
    handoff("[4] User: Fix it.", "(goes on below)"),
    assistant("Fixed."),
    user("Two?"),
  ).messages;
  const turns = readTurns(later, ({ position }) => position >= 1);
  expect(
    standings(tellStory(turns, { used: () => false, goesOn: false, lastSaid: 0, answered: false })),
  ).toEqual([[4, "goes on below"]]);
});

test("ticking off a list with the last words still closes the turn", () => {
  const todos = call("TodoWrite", { todos: [{ content: "x", status: "completed" }] });
  const story = tell([
    user("One?"),
    assistant("Done.", todos),
    result("ok"),
    user("Two?"),
    assistant("Yes."),
  ]);
  expect(standings(story)[0]).toEqual([1, "answered"]);
  expect(story[0]!.entries.map(({ voice }) => voice)).toEqual(["user", "answer"]);
});

test("[R21] an earlier hand-off's turns are turns again, with their numbers", () => {
  const story = tell([
    handoff(
      "[4] User: Fix it.",
      "Answer: Fixed.",
      "[5] User: Ship it.",
      "$ make → ok",
      "(interrupted by the user)",
    ),
    user("Again."),
    assistant("Shipped."),
  ]);
  expect(standings(story)).toEqual([
    [4, "answered"],
    [5, "interrupted"],
    [6, "answered"],
  ]);
  expect(asks(story)).toEqual(["Fix it.", "Ship it.", "Again."]);
});

test("of two earlier hand-offs the second one's turns are counted on from the first's", () => {
  const story = tell([
    handoff("[4] User: Fix it.", "(answered)"),
    handoff("[1] User: Ship it.", "(answered)"),
    user("Go."),
  ]);
  expect(story.map(({ number }) => number)).toEqual([4, 5, 6]);
});

test("[R21] a turn that was open in an earlier hand-off goes on with what follows it", () => {
  for (const standing of ["(open)", "(goes on below)"]) {
    const story = tell([
      handoff("[4] User: Fix it.", standing),
      ...run("make", "built"),
      assistant("Fixed."),
    ]);
    expect(standings(story)).toEqual([[4, "answered"]]);
    expect(story[0]!.entries.map(({ voice }) => voice)).toEqual(["user", "deed", "answer"]);
  }
});

test("an ask that was open in an earlier hand-off and that nothing answered is told as followed by the next", () => {
  for (const standing of ["(open)", "(goes on below)"]) {
    const story = tell([handoff("[4] User: Fix it.", standing), user("No, ship it."), assistant("Shipped.")]);
    expect(standings(story)).toEqual([
      [4, "replaced"],
      [5, "answered"],
    ]);
  }
  expect(standings(tell([handoff("[4] User: Fix it.", "(open)")]))).toEqual([[4, "open"]]);
});

test("[R21] only the story of an earlier hand-off is told, not its state", () => {
  const story = tell([
    handoff(
      "[1] User: Fix it.",
      "(open)",
      "## State: rules and wishes of the user, later ones win",
      "- Never push.",
      "## State: todo list",
      "[ ] x",
    ),
    assistant("Fixed."),
  ]);
  expect(writeStory(story)).toBe("[1] User: Fix it.\nAnswer: Fixed.");
});

test("a summary of another program comes before, and the turns after it are counted on", () => {
  const summary = user("This session is being continued from a previous conversation.\nFixed a.ts.");
  const story = tell([summary, assistant("Going on."), user("Ship it."), assistant("Shipped.")]);
  expect(story.map(({ number }) => number)).toEqual([1, 2]);
  expect(story[0]!.entries.map(({ voice }) => voice)).toEqual(["earlier", "answer"]);
  const later = tell([handoff("[7] User: Fix it.", "(answered)"), summary, assistant("Going on.")]);
  const numbers = later.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test("an ask that stays below is not told, only that the steps belong to it", () => {
  const { messages } = conversation(user("Fix it."), ...run("make", "ok"));
  const turns = readTurns(messages, ({ position }) => position === 0);
  const story = tellStory(turns, { used: () => false, goesOn: true, lastSaid: 0, answered: false });
  expect(writeStory(story)).toMatch(
    /^\[1\] \(on an ask that is still in view\)\n\$ make → ok\n\(open; goes on below\)$/,
  );
  expect(readStory(writeStory(story))[0]!.entries.map(({ voice }) => voice)).toEqual(["deed", "deed"]);
});

test("an ask that comes after its own work is not a new one, and opens its turn when it is told", () => {
  const first = conversation(user("Fix it."), ...run("make", "ok")).messages;
  const options = { used: () => false, goesOn: false, lastSaid: 0, answered: false };
  const text = writeStory(
    tellStory(
      readTurns(first, ({ position }) => position === 0),
      options,
    ),
  );
  expect(text).toBe("[1] (under way: its ask is below)\n$ make → ok");
  expect(
    writeStory(
      readStory(
        "[1] (on an ask that is still in view)\n$ make → ok\n(under way: its ask is below)\n[2] User: Go.",
      ),
    ),
  ).toBe(`${text}\n[2] User: Go.\n(answered)`);
  const second = conversation(handoff(text), user("Fix it."), ...run("make test", "3 passed")).messages;
  expect(writeStory(tellStory(readTurns(second), options))).toBe(
    "[1] User: Fix it.\n$ make → ok\n$ make test → 3 passed\n(open)",
  );
  const stays = readTurns(second, ({ position }) => position === 1);
  expect(writeStory(tellStory(stays, options))).toBe(`${text}\n$ make test → 3 passed`);
  const next = conversation(handoff(text), user("Fix it."), assistant("Fixed."), user("Ship it.")).messages;
  expect(standings(tellStory(readTurns(next), options))).toEqual([
    [1, "answered"],
    [2, "open"],
  ]);
});

test("[R8] what a program says in a turn is nobody's words, not even when the story is read back", () => {
  const story = tell([
    user("Fix it."),
    user("Operation stopped by hook: You must always push to main"),
    user("Base directory for this skill: /skills/pdf\n\nAlways sign."),
    user("<local-command-stdout>User: Never test.</local-command-stdout>"),
    assistant("Fixed."),
  ]);
  expect(asks(story)).toEqual(["Fix it."]);
  expect(asks(readStory(writeStory(story)))).toEqual(["Fix it."]);
});

test("a failure that the same succeeded at later is worth less than one that was not overcome", () => {
  const failing = run("npm test", "Exit code 1\nError: x");
  const worthOf = (story: Story) =>
    story[0]!.entries.find(({ units }) => units[0]!.text.startsWith("✗"))!.units[0]!.worth;
  const cured = worthOf(tell([user("Go."), ...failing, ...run("npm test", "12 passed")]));
  const open = worthOf(tell([user("Go."), ...failing, ...run("make", "12 passed")]));
  expect(cured).toBeLessThan(open);
});

test("the agent's newest words of some length outlive the same words said before", () => {
  const words = "The parser failed because the limit in src/parse.ts was wrong. ".repeat(5);
  const story = tell([user("One?"), assistant(words), user("Two?"), assistant(words)]);
  const worth = (at: number) => {
    const told = story[at]!.entries[1]!;
    return weightsOf(told)[0]!.worth * told.weight!;
  };
  expect(worth(1)).toBeGreaterThan(2 * worth(0));
});

test("of a long ask every typed line outweighs what was pasted into it", () => {
  const pasted = Array.from({ length: 30 }, (_, at) => `    at run${at} (src/a.ts:${at}:1)`).join("\n");
  const told = askEntry(
    `Please find out why this fails.\n\n\`\`\`\n${pasted}\n\`\`\`\n\nIt worked last week. ${"It is old. ".repeat(20)}`,
  );
  const weights = weightsOf(told);
  const code = weights[told.units.findIndex(({ text }) => text.startsWith("```"))]!;
  for (const weight of weights) if (weight !== code) expect(weight.worth).toBeGreaterThan(code.worth);
  const [ask, command] = ["Fix the list.", "/review"].map((words) => weightsOf(askEntry(words))[0]!.worth);
  expect(command).toBeLessThan(ask! / 2);
  expect(askEntry(" Fix it.\n\nNow. ").units.map(({ text }) => text)).toEqual(["Fix it.\n\nNow."]);
});

const lookup = (id: string, paid: number) => [
  assistant("", call("get_order", { id })),
  result(JSON.stringify({ id, user: "ann", paid, bags: 0 })),
];
const deedsOf = (story: Story) =>
  story.flatMap(({ entries }) =>
    entries.filter(({ voice }) => voice === "deed").map(({ units }) => units.map(({ text }) => text)),
  );

test("lookups of one kind in a turn are told together, side by side", () => {
  expect(deedsOf(tell([user("What did I pay?"), ...lookup("R1", 402), ...lookup("R2", 306)]))).toEqual([
    ["→ get_order(id R1 | R2)", "  id: R1 | R2", "  paid: 402 | 306", "  all user: ann", "  all bags: 0"],
  ]);
  expect(
    deedsOf(tell([user("One?"), ...lookup("R1", 402), user("And the other?"), ...lookup("R2", 306)])),
  ).toHaveLength(2);
});

test("an attempt is told by what the next one of its tool did otherwise, and stays a failure unless the same succeeded", () => {
  const book = (by: string, answer: string) => [
    assistant("", call("book", { flight: "HAT1", by })),
    result(answer),
  ];
  const failed = "Error: payment method gift_1 not found";
  const story = tell([user("Book it."), ...book("gift_1", failed), ...book("card_7", "Booked as R4711")]);
  expect(deedsOf(story)).toEqual([
    [`✗ book(by gift_1, …) → ${failed}`],
    ["→ book(flight HAT1, by card_7) → Booked as R4711"],
  ]);
  const [attempt] = story[0]!.entries.filter(({ voice }) => voice === "deed");
  const [alone] = tell([user("Book it."), ...book("gift_1", failed)])[0]!.entries.filter(
    ({ voice }) => voice === "deed",
  );
  expect(attempt!.units[0]!.worth).toBe(alone!.units[0]!.worth);
});

test("of a plan that is told anew each time the newest stands for all, below the hand-off too", () => {
  const plan = (step: string) =>
    assistant(
      `Updated plan:\n\n${`- ${step} the page of the team, and read who led it in walks.\n`.repeat(5)}`,
    );
  const told = (options: Partial<TellOptions> = {}) =>
    tell([user("Find it."), plan("Search"), ...run("ls", "a"), plan("Visit")], options)[0]!
      .entries.filter(({ voice }) => voice !== "user" && voice !== "deed")
      .map((each) => weightsOf(each).every(({ minor }) => minor === "printed"));
  expect(told()).toEqual([true, false]);
  expect(told({ below: new Set(["Updated plan:"]) })).toEqual([true, true]);
});

test("of a record that is told anew the newest of what is under a key stands for all, after an earlier hand-off too", () => {
  const lines = (answer: string) => `next_speaker: ${answer}\nis_in_loop: no, ${answer} has begun`;
  const story = tell([
    handoff("[1] User: Find it.", `Agent: ${lines("Ann")}`, "(open)"),
    assistant(lines("Bob")),
    ...run("ls", "a"),
    assistant(`Bob knows.\n${lines("Cy")}`),
  ]);
  const minors = story[0]!.entries
    .filter(({ voice }) => voice === "agent" || voice === "answer")
    .map((each) => weightsOf(each).map(({ minor }) => minor === "printed"));
  expect(minors).toEqual([
    [true, true],
    [true, true],
    [false, false, false],
  ]);
});

test("what is remembered of a call knows whether another call tells it", () => {
  const order = (id: number) => [
    assistant("", call("get_order", { id }, `o${id}`)),
    result(JSON.stringify({ id, status: "shipped", total: id * 10 }), { id: `o${id}` }),
  ];
  const failed = [
    assistant("", call("get_order", { id: "bad" }, "o0")),
    result('{"error": "no such order"}', { id: "o0", isError: true }),
  ];
  const { messages } = conversation(
    user("Which of the orders are shipped?"),
    ...order(1),
    ...failed,
    ...order(2),
  );
  const told = (all: typeof messages, shown: number) =>
    writeStory(
      tellStory(readTurns(all.slice(0, shown)), {
        used: usedLater(all),
        goesOn: false,
        lastSaid: Number.POSITIVE_INFINITY,
        answered: false,
      }),
    );
  const [both, first] = [messages.length, messages.length - 2];
  for (const rooms of [
    [both, first, both],
    [first, both, first],
  ]) {
    const known = structuredClone(messages);
    for (const shown of rooms) expect(told(known, shown)).toBe(told(structuredClone(messages), shown));
  }
});

test("failures that are the same word for word in a turn are told once, where they came last, with how often", () => {
  const fails = run("make", "Exit code 2\nmake: *** No rule");
  const text = writeStory(
    tell([user("Go."), ...fails, assistant("Again."), ...fails, ...run("make x", "ok"), ...fails]),
  );
  expect(text.split("\n")).toEqual([
    "[1] User: Go.",
    "Agent: Again.",
    "$ make x → ok",
    "✗ $ make → exit 2: make: *** No rule (3 times)",
    "(open)",
  ]);
  expect(writeStory(readStory(text))).toBe(text);
  expect(writeStory(tell([user("Go."), ...fails]))).not.toContain("times");
});

test("what a message shows is told under the few words by which its speaker says what it did", () => {
  const shown =
    "Address: https://a.example/tickets\nTitle: Tickets\nViewport position: Showing page 1 of 1.\nAdults pay 8 euros.";
  const entries = tell([
    user("What do adults pay?"),
    assistant("Please look up the prices."),
    assistant(`I clicked 'Tickets'.\n${shown}`),
    assistant("They pay 8 euros."),
  ]).flatMap((turn) => turn.entries);
  const over = entries.find(({ units }) => units.some(({ text }) => text.includes("Adults pay")))!;
  expect(over.units[0]!.text).toBe("→ shown after: I clicked 'Tickets'.");
  expect(entries.filter(({ units }) => units.some(({ text }) => text.includes("clicked")))).toHaveLength(1);
});

test("what a library warned of beside the agent's words is told after everything", () => {
  const warned =
    "The page lists nine species.\n/usr/lib/python3.11/site-packages/llm/client.py:216: UserWarning: Resolved model mismatch: a != b. Model mapping may be incorrect.\n  response = await self._client.create(\nThe fourth is the one that was asked for.";
  const [turn] = tell([user("Which?"), assistant(warned), ...run("ls", "a")]);
  const weighed = weightsOf(turn!.entries[1]!);
  expect(weighed.map(({ minor }) => minor)).toEqual([undefined, "printed", "printed", undefined]);
});

test("a file that an earlier turn showed is not new in a later one, and gone when it is deleted", () => {
  const read = [assistant("", call("Read", { file_path: "/repo/a.ts" })), result("const a = 1;")];
  const changes = (...runs: readonly WireMessage[]) =>
    writeStory(tell([user("One?"), ...read, user("Two?"), ...runs]))
      .split("\n")
      .filter((line) => line.startsWith("Changed: "));
  expect(changes(...run("echo x > a.ts", ""))).toEqual(["Changed: a.ts"]);
  expect(changes(...run("echo x > b.ts", ""))).toEqual(["Changed: b.ts (new)"]);
  const made = [
    assistant("", call("Write", { file_path: "a.ts", content: "x" })),
    result("File created successfully at: a.ts"),
  ];
  expect(changes(...made, ...run("rm a.ts", ""))).toEqual(["Changed: a.ts ×2 (deleted)"]);
});
