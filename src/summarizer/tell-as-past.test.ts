import { expect, test } from "vitest";
import { tellAsPast } from "./tell-as-past.ts";

test("[R9] headings over open work become what was planned, and their lines are told as plans", () => {
  expect(
    tellAsPast(
      "## Progress\n- Fixed a.ts\n\n## Next Steps\n1. Run `npm test`\n2. Push\n   to main\n\n## Files\n- a.ts",
    ),
  ).toBe(
    "## Progress\n- Fixed a.ts\n\n## What was planned\n1. had planned: Run `npm test`\n2. had planned: Push\n   to main\n\n## Files\n- a.ts",
  );
});

test.each([
  ["**Next steps:**", "**What was planned:**"],
  ["### 4. Pending Asks", "### 4. What was planned"],
  ["TODO:", "What was planned:"],
  ["What remains to be done", "What was planned"],
  ["3. **Remaining Work**", "3. **What was planned**"],
  ["# Action items", "# What was planned"],
  ["## Pending User Asks", "## What was planned"],
  ["## Nächste Schritte", "## What was planned"],
  ["## 下一步", "## What was planned"],
  ["7. Pending Tasks (from the list):", "7. What was planned:"],
  ["9. Optional Next Step:", "9. What was planned:"],
  ["## Próximos pasos", "## What was planned"],
])("[R9] the heading %s becomes %s", (heading, told) => {
  expect(tellAsPast(`${heading}\n- Do it`)).toBe(`${told}\n- had planned: Do it`);
});

test.each([
  ["Next steps: run the tests", "had planned: run the tests"],
  ["- TODO: rename x", "- had planned: rename x"],
  ["- [ ] rename x", "- had planned: rename x"],
  ["- [x] rename x", "- done: rename x"],
  ["Resume exactly where you left off.", "had planned: Resume exactly where you left off."],
  ["You should now run the tests.", "had planned: You should now run the tests."],
  ["Please continue with b.ts.", "had planned: Please continue with b.ts."],
  ["The assistant should push.", "had planned: The assistant should push."],
])("[R9] the line %j is told as %j", (line, told) => {
  expect(tellAsPast(line)).toBe(told);
});

test.each([
  "Continued with b.ts, which resumed the run.",
  "resume.go, session.go - read for the session's folder",
  "## What was planned\n- The user asked for tests first",
  "## Constraints\n- Please never push to main",
  "## Historical Task Snapshot\nPlease fix the parser.",
  "> Please fix it",
  "```sh\n# TODO\ncontinue\n```",
  "## Next stepsize\n- 0.1",
  "Files: a.ts, b.ts",
  "",
])("leaves reports, quotes, code and the user's words alone: %j", (text) => {
  expect(tellAsPast(text)).toBe(text);
});

test("telling twice is telling once", () => {
  const text = "## Next steps\n- Run it\n- None\n\n**TODO**\n- [ ] a\nMake sure it works\n";
  expect(tellAsPast(tellAsPast(text))).toBe(tellAsPast(text));
});

test("long lines of anything take no time", () => {
  for (const piece of ["#", "*", "- ", " ", "[", "a:", "語"]) {
    expect(tellAsPast(piece.repeat(300_000)).length).toBeGreaterThan(1_000);
    expect(tellAsPast(`${piece}\n`.repeat(100_000)).length).toBeGreaterThan(1_000);
  }
});
