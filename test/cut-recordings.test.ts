/** Where the tail starts on recorded conversations: between two pieces of work rather than in one, within what it may take. */
import { expect, test } from "vitest";
import { groupsOf } from "../src/conversation/turn.ts";
import { allowsCut } from "../src/engine/invariants/index.ts";
import { openWork } from "../src/plan/open-work.ts";
import { tailStart } from "../src/plan/tail.ts";
import { boundaryStrength } from "../src/plan/work-boundary.ts";
import { presets } from "../src/policy/presets.ts";
import { formatNamed } from "../src/providers/detect.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { hasAllRecordings, recordings, sayThatDataIsAbsent } from "./recordings.ts";

if (!hasAllRecordings) sayThatDataIsAbsent("how many tails start at a boundary");

const counter = createTokenCounter();
/** As `balanced` in a window of 64,000 tokens. */
const budgetTokens = 56_000;
const ceilingTokens = budgetTokens * presets.balanced.targetRatio * presets.balanced.retention.ceiling;
const size = { budgetTokens, ceilingTokens, messageCapTokens: Math.floor(ceilingTokens / 3), counter };
const { tolerance, ...plain } = presets.balanced.retention;

test("[F61] on recordings more tails start at a boundary, none over its ceiling, and none lets go of open work that it held", async () => {
  let moved = 0;
  let [before, after] = [0, 0];
  let recorded = 0;
  for await (const { format, messages: wire } of recordings(["coding-sessions"])) {
    const { messages } = formatNamed(format).read(wire);
    const groups = groupsOf(messages);
    const tokensFrom = (start: number) =>
      messages
        .slice(start)
        .filter(({ role }) => role !== "system")
        .reduce((sum, message) => sum + Math.min(size.messageCapTokens, counter.message(message)), 0);
    const strengthAt = (start: number) => {
      const at = groups.findIndex((group) => group.start === start);
      return boundaryStrength(messages, groups[at - 1], groups[at]!);
    };
    const wanted = tailStart(messages, { ...size, retention: plain });
    const start = tailStart(messages, { ...size, retention: { ...plain, tolerance: tolerance! } });
    recorded++;
    if (strengthAt(wanted) > 0) before++;
    if (strengthAt(start) > 0) after++;
    if (start === wanted) continue;
    moved++;
    expect(allowsCut(messages, start)).toBe(true);
    expect(tokensFrom(start)).toBeLessThanOrEqual(Math.max(ceilingTokens, tokensFrom(wanted)));
    const held = openWork(
      messages,
      groups.filter((group) => group.start >= wanted),
    );
    for (const open of held.starts) expect(start).toBeLessThanOrEqual(open);
    const reaches = openWork(
      messages,
      groups.filter((group) => group.start >= start),
    ).starts.includes(start);
    expect(reaches || strengthAt(start) > strengthAt(wanted)).toBe(true);
  }
  expect(recorded).toBeGreaterThan(0);
  if (!hasAllRecordings) return;
  expect(recorded).toBe(162);
  expect(moved).toBeGreaterThan(10);
  expect(after).toBeGreaterThan(before);
}, 120_000);
