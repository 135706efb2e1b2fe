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
