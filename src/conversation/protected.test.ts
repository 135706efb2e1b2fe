import { expect, test } from "vitest";
import {
  assistant,
  call,
  conversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { protectedPositions } from "./protected.ts";

const positions = (...told: readonly WireMessage[]) => [
  ...protectedPositions(conversation(...told).messages),
];

test("[F30] knows SESSION_LOG content by its heading or its monitoring block, in any message but a system prompt", () => {
  expect(
    positions(
      system("# SESSION_LOG"),
      user("# SESSION_LOG\nx"),
      assistant("Here it is.\n## Token Usage @ 2025-11-09T10:35:22"),
      assistant("", call("read_file", { path: "SESSION_LOG.md" })),
      result("# SESSION_LOG\n\n## Task"),
      user("Please write SESSION_LOG.md for me."),
      user("x".repeat(5000).concat("\n# SESSION_LOG")),
    ),
  ).toEqual([1, 2, 4]);
});

test.each([
  "# SESSION_LOG.md",
  "## Session Log",
  "**Session log**",
  "     1\u2192# SESSION_LOG",
  "# Persona",
  "## Agent persona definition",
  "# State Checkpoints",
  "## Active State Checkpoint",
  "### STATE_CHECKPOINT",
  "[ACTIVE STATE CHECKPOINT]",
  "**State checkpoint**",
])("[F30] knows the heading %s", (heading) => {
  expect(positions(user(`${heading}\nx`))).toEqual([0]);
});

test.each([
  "# Session logging",
  "The session log is long.",
  "# Personal notes",
  "Our persona is Anna.",
  "# Stateless checkpoints",
])("[F30] takes %s for no such heading", (text) => {
  expect(positions(user(text))).toEqual([]);
});

test("[F30] only the newest checkpoint is active", () => {
  expect(
    positions(
      assistant("# State checkpoint\nstep 1"),
      assistant("[STATE CHECKPOINT]\nstep 2"),
      assistant("## Active state checkpoint\nstep 3"),
      assistant("Checkpoint? Not here."),
    ),
  ).toEqual([2]);
});

test("null contents and an empty list are no documents", () => {
  expect(positions({ role: "user", content: null }, { role: "assistant", content: null })).toEqual([]);
  expect(positions()).toEqual([]);
});
