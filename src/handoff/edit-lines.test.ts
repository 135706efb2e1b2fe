import { expect, test } from "vitest";
import { afterEdit, editIn, editText, NO_EDIT } from "./edit-lines.ts";

test("an edit is the lines that went and those that came; what is in both is neither", () => {
  const edit = editIn({ old_string: "one\ntwo\n}", new_string: "one\nthree\n}" });
  expect(edit).toEqual({ gone: ["two"], came: ["three"] });
  expect(editIn({ path: "a.ts", edits: [{ oldText: "one", newText: "two" }] })).toEqual({
    gone: ["one"],
    came: ["two"],
  });
  expect(editIn({ file_path: "a.ts", content: "whole file" })).toEqual(NO_EDIT);
});

test("what came and went again, or went and came again, is no change", () => {
  const one = editIn({ old_string: "before", new_string: "between" });
  const two = editIn({ old_string: "between", new_string: "after" });
  expect(afterEdit(one, two)).toEqual({ gone: ["before"], came: ["after"] });
  expect(afterEdit(one, editIn({ old_string: "between", new_string: "before" }))).toEqual(NO_EDIT);
  expect(afterEdit(one, one)).toEqual(one);
});

test("an edit is told by its declarations, then its code, then its comments; what is named beside it is not told again", () => {
  const came = ["// why this is so", "count += 1;", "function total(x) {", "return x;", "total(1);"];
  expect(editText({ gone: ["old(1);", "old(1);"], came }, [])).toBe(
    "−2 +5 lines: − old(1); ⏎ + count += 1; ⏎ + function total(x) { ⏎ + return x;",
  );
  expect(editText({ gone: [], came: ["function total(x) {"] }, ["total"])).toBe("");
  expect(editText({ gone: ["total(1);"], came: [] }, [])).toBe("−1 line: − total(1);");
  expect(editText({ gone: [], came: ["x".repeat(200)] }, []).length).toBeLessThan(120);
});
