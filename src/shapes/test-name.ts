/** The name of a failing test without the signs, places and times that a runner writes around it. */

const BEFORE =
  /^\s*(?:--- FAIL:|FAIL(?:ED)?:?|ERROR:?|not ok \d+ -?|\d{1,5}\)|[✗✕×✖✘❌●]|_{3,}|test(?= \S+ \.\.\.)|Failed|\[ERROR\])\s+/;
const AFTER =
  /\s+(?:-\s.*|\(.*|\[.*|_{3,}|FAILED.*|ERROR.*|\.\.\. .*|<<< .*|--? Time elapsed.*|#.*|\d+(?:\.\d+)?\s?m?s)\s*$/;

/** `tests/a.py::T::test_b FAILED [ 50%]`, `____ T.test_b ____` and `FAILED tests/a.py::T::test_b - assert …` → `test_b`. */
export function testNameIn(line: string): string {
  const start = line.slice(0, 300);
  const bare = start.replace(BEFORE, "").replace(AFTER, "").trim();
  const part = bare
    .split(/::| > | › /)
    .at(-1)!
    .trim();
  return part.includes(" ") ? part : (part.split(".").at(-1) ?? part);
}
