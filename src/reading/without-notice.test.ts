import { expect, test } from "vitest";
import { withoutNotice } from "./without-notice.ts";

test("what a shell tool says of itself below an output is none of it", () => {
  expect(withoutNotice("a\nb\nShell cwd was reset to /home/me")).toBe("a\nb");
  expect(withoutNotice("Shell cwd was reset to /home/me\nb")).toBe("Shell cwd was reset to /home/me\nb");
});
