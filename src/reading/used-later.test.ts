import { expect, test } from "vitest";
import { assistant, call, conversation, result, system, user } from "../testing/builders.ts";
import { usedLater } from "./used-later.ts";

const { messages } = conversation(
  user("Book order W2378156."),
  assistant("", call("search", { query: "flights" })),
  result("HAT001 HAT002 4711 New York"),
  assistant("Flight HAT002 to New York it is.", call("book", { flight: "HAT002", price: 4711 })),
  result("HAT001 booked"),
  system("HAT001"),
);
const used = usedLater(messages);

test("a value counts as taken up where somebody said it or passed it to a call afterwards", () => {
  expect(used("HAT002", 2)).toBe(true);
  expect(used("4711", 2)).toBe(true);
  expect(used("hat002", 2)).toBe(true);
  expect(used("New York", 2)).toBe(true);
});

test("what was said before, at the same place, or printed by tools and systems alone was not taken up", () => {
  expect(used("HAT001", 2)).toBe(false);
  expect(used("HAT002", 3)).toBe(false);
  expect(used("W2378156", 0)).toBe(false);
  expect(used("New Orleans", 2)).toBe(false);
});

test("values without a word, too short or too long to mean anything are not looked for", () => {
  expect(used("it", 2)).toBe(false);
  expect(used("---", 2)).toBe(false);
  expect(used("", -1)).toBe(false);
  expect(used("HAT002 ".repeat(100), 2)).toBe(false);
});

test("nothing was said, nothing was taken up", () => {
  expect(usedLater([])("HAT002", -1)).toBe(false);
});

test.each(["a", " ", "a.", "-", "日", "\ud800"])("reads a megabyte of %j in no time", (piece) => {
  const long = conversation(assistant(piece.repeat(1_000_000 / piece.length))).messages;
  const started = performance.now();
  expect(usedLater(long)("never said", -1)).toBe(false);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("what somebody had said before was not learned from what was printed", () => {
  expect(used("HAT002", 2, "anew")).toBe(true);
  const known = usedLater(
    conversation(
      user("Is HAT002 free?"),
      assistant("", call("look", {})),
      result("HAT002 4711"),
      assistant("HAT002 costs 4711."),
    ).messages,
  );
  expect(known("HAT002", 1)).toBe(true);
  expect(known("HAT002", 1, "anew")).toBe(false);
  expect(known("4711", 1, "anew")).toBe(true);
  expect(known("HAT002 4711", 1, "anew")).toBe(true);
});

test("what a message shows of a page, or answers in text, nobody said", () => {
  const shown = "I clicked it.\n\nHere is a screenshot of [a page](https://a.example).\nridership 4495039";
  const answered = "Call id: call_1\nObservation:\nridership 4495039";
  for (const text of [shown, answered, "<tool_response>\nridership 4495039\n</tool_response>"]) {
    expect(usedLater(conversation(user("Go."), assistant(text)).messages)("4495039", 0)).toBe(false);
  }
});

test("what a person typed or a call was given is taken up, what the agent repeats is not; and asked for is what a person typed", () => {
  const { messages: all } = conversation(
    user("Is HAT001 free?"),
    assistant("", call("look", {})),
    result("HAT001 HAT002 HAT003 HAT004"),
    assistant("There are HAT002 and HAT003 and HAT004."),
    user("HAT003 then."),
    assistant("", call("book", { flight: "HAT004" })),
  );
  const uses = usedLater(all);
  const among = (how: "taken" | "asked" | "said") =>
    ["HAT001", "HAT002", "HAT003", "HAT004"].filter((value) => uses(value, 2, how));
  expect(among("taken")).toEqual(["HAT003", "HAT004"]);
  expect(among("asked")).toEqual(["HAT001", "HAT003"]);
  expect(among("said")).toEqual(["HAT001", "HAT002", "HAT003", "HAT004"]);
});

test("what was made from the answers holds until somebody says a word of those that were asked for", () => {
  const wire = conversation(user("Go."), assistant("HAT001 and HAT002."), user("And now?")).messages;
  const first = usedLater(wire).hearing!;
  const { made, heard } = first.listen(() => 7);
  expect(made).toBe(7);
  const asked = usedLater(wire);
  const { heard: words } = asked.hearing!.listen(() => asked("HAT002", 1));
  const more = (text: string) => [...wire, ...conversation(user(text)).messages];
  const isStill = (text: string) => usedLater(more(text)).hearing!.isStill(words!);
  expect(first.isStill(heard!)).toBe(true);
  expect(isStill("HAT001 it is.")).toBe(true);
});

test("a word that is said again makes what was made from it out of date", () => {
  const wire = conversation(user("Go."), assistant("HAT001 and HAT002.")).messages;
  const asked = usedLater(wire);
  const { heard } = asked.hearing!.listen(() => asked("HAT002", 1));
  const more = [...wire, ...conversation(user("hat002 then.")).messages];
  expect(usedLater(more).hearing!.isStill(heard!)).toBe(false);
  expect(usedLater(conversation(user("Go.")).messages).hearing!.isStill(heard!)).toBe(false);
});

test("the same words under another role are another's: what was noted of them before does not hold", () => {
  const [opening] = conversation(user("Book a flight.")).messages;
  const said = (by: typeof user) => [
    opening!,
    ...conversation(user("Book a flight."), by("Take HAT002.")).messages.slice(1),
  ];
  expect(usedLater(said(assistant))("HAT002", 0, "asked")).toBe(false);
  expect(usedLater(said(user))("HAT002", 0, "asked")).toBe(true);
  expect(usedLater(said(assistant))("HAT002", 0, "asked")).toBe(false);
});
