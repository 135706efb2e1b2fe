import { expect, test } from "vitest";
import { excerptsOf } from "./excerpts.ts";

/** The excerpts of a text that say these words. */
function excerpts(text: string, ...words: readonly string[]): readonly string[] {
  const places = words.map((word) => {
    const start = text.indexOf(word);
    const lineStart = text.lastIndexOf("\n", start) + 1;
    const lineEnd = `${text}\n`.indexOf("\n", start);
    return { start, end: start + word.length, lineStart, lineEnd };
  });
  return excerptsOf(text, places);
}

test("a specific takes the two nearest words along, those before it first", () => {
  expect(excerpts("we now call parseArgs with the rest of it", "parseArgs")).toEqual(["call parseArgs with"]);
  expect(excerpts("func parseArgs(argv []string)", "parseArgs")).toEqual(["func parseArgs(argv"]);
});

test("what the excerpt opens is closed where the text closes it at once", () => {
  expect(excerpts('raw["agent_auto_detect"] is set', "agent_auto_detect")).toEqual([
    'raw["agent_auto_detect"] is set',
  ]);
  expect(excerpts("run parseArgs(argv) then", "parseArgs")).toEqual(["run parseArgs(argv)"]);
});

test("no excerpt goes over the end of a line", () => {
  expect(excerpts("first line\nfooBar\nlast line", "fooBar")).toEqual(["fooBar"]);
});

test("specifics that stand together are one excerpt and need no more words", () => {
  const text = "client := telemetry.NewClient(cli.Version, telemetryEnabled) // and more words";
  expect(excerpts(text, "telemetry.NewClient", "cli.Version", "telemetryEnabled")).toEqual([
    "telemetry.NewClient(cli.Version, telemetryEnabled)",
  ]);
});

test("specifics far apart are excerpts of their own", () => {
  const text = `open fooBar now ${"x ".repeat(100)}shut bazQux then`;
  expect(excerpts(text, "fooBar", "bazQux")).toEqual(["open fooBar now", "shut bazQux then"]);
});

test("a long path stands by its last three parts", () => {
  expect(
    excerpts("see /home/me/work/app/src/cli/run.ts again", "/home/me/work/app/src/cli/run.ts")[0],
  ).toMatch(/^src\/cli\/run\.ts/);
});

test("hostile texts are cut in bounded time", () => {
  const text = `${"(".repeat(200_000)}fooBar${"z".repeat(200_000)}`;
  const start = text.indexOf("fooBar");
  expect(excerptsOf(text, [{ start, end: start + 6, lineStart: 0, lineEnd: text.length }])).toEqual([
    "fooBar",
  ]);
});
