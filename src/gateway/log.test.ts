import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("a text is masked before it is cut, so that no half of a secret is left", () => {
  const lines: string[] = [];
  const log = createLog(
    (line) => lines.push(line),
    () => 0,
  );
  const token = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;
  log("warn", "request-failed", { reason: `${"x ".repeat(244)}${token}` });
  expect(lines[0]).toContain("[redacted: g");
  expect(lines[0]).not.toContain(token.slice(0, 8));
  expect((JSON.parse(lines[0]!) as { reason: string }).reason).toHaveLength(500);
});

test("texts inside lists and objects of a line are masked as well, and what is no text stays", () => {
  const lines: string[] = [];
  const log = createLog(
    (line) => lines.push(line),
    () => 0,
  );
  const token = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;
  log("info", "request", {
    stages: [{ stage: token, tokensSaved: 7 }],
    fill: { of: token },
    none: undefined,
  });
  expect(JSON.parse(lines[0]!)).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    event: "request",
    stages: [{ stage: "[redacted: github]", tokensSaved: 7 }],
    fill: { of: "[redacted: github]" },
  });
});
