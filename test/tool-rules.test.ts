/** Source 1's rules for tool outputs (F33–F36), to the letter, where its preset meets them: results that arrive under factor3. */
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { assistant, call, rawConversation, result, user, type WireMessage } from "../src/testing/builders.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

const counter = createTokenCounter();
const compactor = createCompactor({ preset: "factor3", window: 200_000 });

/** What the agent gets to see of an output. */
async function arrived(text: string, name = "database_query", given: unknown = {}): Promise<string> {
  const { messages: output } = await compactor.compact(
    rawConversation(user("Look."), assistant("", call(name, given)), result(text)),
  );
  return String((output as readonly WireMessage[])[2]!.content);
}

const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    region: id % 2 ? "north" : "south",
    amount: 100 + (id % 9),
  }));
const cells = (count: number, by: string) => recordsOf(count).map((record) => Object.values(record).join(by));
const framed = (count: number) => cells(count, " | ").map((row) => `| ${row} |`);
const results: Readonly<Record<string, (count: number) => string>> = {
  "a Markdown table": (count) => ["| id | region | amount |", "|---|---|---|", ...framed(count)].join("\n"),
  "a Markdown table with words around it": (count) =>
    [
      "Here are the rows:",
      "",
      "| id | region | amount |",
      "| --- | :---: | ---: |",
      ...framed(count),
      "",
      "That is all.",
    ].join("\n"),
  "what psql prints": (count) =>
    [" id | region | amount", "----+--------+--------", ...cells(count, " | "), `(${count} rows)`].join("\n"),
  "what sqlite prints, without a header": (count) => cells(count, "|").join("\n"),
  "JSON lines": (count) =>
    recordsOf(count)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(""),
  "a JSON array": (count) => JSON.stringify(recordsOf(count)),
  "an indented JSON array": (count) => JSON.stringify(recordsOf(count), null, 2),
  "a JSON array of arrays": (count) =>
    JSON.stringify(recordsOf(count).map((record) => Object.values(record))),
  "JSON rows beside their columns": (count) =>
    JSON.stringify({ columns: ["id", "region", "amount"], rows: recordsOf(count) }),
  CSV: (count) => ["id,region,amount", ...cells(count, ",")].join("\n"),
};

test.each(Object.keys(results))(
  "[F34] of %s 100 rows stay, and of 101 the count is told exactly",
  async (kind) => {
    const whole = results[kind]!(100);
    expect(await arrived(whole)).toBe(whole);
    for (const count of [101, 350]) {
      const shown = await arrived(results[kind]!(count));
      expect(shown).toMatch(new RegExp(`, \\d+ of ${count} (?:rows|records) shown`));
      expect(counter.text(shown)).toBeLessThan(counter.text(results[kind]!(count)));
    }
  },
);

test("[F33] a read of 500 lines stays, one of 501 becomes an outline with line ranges", async () => {
  const lines = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `export const setting${at} = read("setting ${at}", ${at});`,
    ).join("\n");
  const read = (count: number) => arrived(lines(count), "read_file", { path: "src/settings.ts" });
  expect(await read(500)).toBe(lines(500));
  const shown = await read(501);
  expect(shown).toMatch(/of 501 lines shown/);
  expect(shown).toMatch(/\[… lines \d+-\d+ …\]/);
});

const steps = Array.from({ length: 300 }, (_, at) => `step ${at}: linked part ${at} of the library`).join(
  "\n",
);

test.each([
  ["an exit code", `${steps}\nExit code: 2`],
  ["a diagnosis", `${steps}\nerror: undefined symbol main\n${steps.slice(0, 400)}`],
  ["a traceback", `Traceback (most recent call last):\n${steps}`],
])("[F36] a failure that only %s tells stays in full, up to 20,000 characters", async (_, text) => {
  const failed = (output: string) => arrived(output, "bash", { command: "make" });
  expect(text.length).toBeLessThan(20_000);
  expect(await failed(text)).toBe(text);
  expect(await failed(steps)).not.toBe(steps);
  const long = text.replace(steps, `${steps}\n${steps}`);
  expect(long.length).toBeGreaterThan(20_000);
  expect((await failed(long)).length).toBeLessThan(long.length);
});

test.each([
  [
    "a flat YAML list",
    (count: number) => Array.from({ length: count }, (_, at) => `- region-${at}.example`).join("\n"),
  ],
  [
    "YAML",
    (count: number) => Array.from({ length: count }, (_, at) => `key${at}:\n  size: ${at}`).join("\n"),
  ],
  ["JSON", (count: number) => JSON.stringify(recordsOf(count), null, 1)],
])("[F36] %s under 500 tokens stays", async (_, make) => {
  let count = 4;
  while (counter.text(make(count + 1)) < 500) count++;
  expect(counter.text(make(count))).toBeGreaterThan(450);
  expect(await arrived(make(count), "bash", { command: "make regions" })).toBe(make(count));
});
