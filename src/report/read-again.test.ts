import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { presets } from "../policy/presets.ts";
import { assistant, call, result, user, type WireMessage } from "../testing/builders.ts";

const read = (path: string, text: string, id = path): readonly WireMessage[] => [
  user(`What is in ${path}?`),
  assistant("", call("read_file", { path }, id)),
  result(text, { id }),
  assistant(`I have read ${path}.`),
];
const source = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `export const ${name}${at} = ${at};`).join("\n");
const session = [
  ...read("a.ts", source("a")),
  ...read("b.ts", source("b")),
  ...read("c.ts", source("c")),
  ...read("a.ts", "File unchanged since last read.", "again"),
  ...read("d.ts", source("d")),
];

test.each(Object.keys(presets) as (keyof typeof presets)[])(
  "[R43] under %s the report names the files of which no read is in view any more, and no other",
  async (preset) => {
    const { report, messages: output } = await createCompactor({ preset, window: 20_000 }).compact(session, {
      force: "manual",
      target: "60%",
    });
    const inView = JSON.stringify(output);
    expect(report.compacted).toBe(true);
    const gone = ["a.ts", "b.ts", "c.ts", "d.ts"].filter(
      (path) => !inView.includes(JSON.stringify(source(path[0]!)).slice(1, -1)),
    );
    expect(gone.length).toBeGreaterThan(0);
    expect(report.readAgain).toEqual(gone);
  },
);

test("[R43] an answer of a few words does not stand for the file that was read before it", async () => {
  const pins = session.flatMap(({ tool_call_id: id }, at) => (id === "again" ? [at - 1, at] : []));
  const { report, messages: output } = await createCompactor({ target: "50%" }).compact(session, {
    target: 600,
    pins,
  });
  expect(JSON.stringify(output)).toContain("File unchanged since last read.");
  expect(report.readAgain).toContain("a.ts");
  const untouched = await createCompactor({ window: 40_000 }).compact(session);
  expect(untouched.report.readAgain).toBeUndefined();
});
