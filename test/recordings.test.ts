/** The ten recordings in the repository: each from somewhere, under a licence that stands beside it, and as it was published. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAllRecordings, recordingsFolder, recordsOf, type WireRecord } from "./recordings.ts";

const folder = join(import.meta.dirname, "fixtures/recordings");
const files = globSync("*.jsonl.*", { cwd: folder });

test("there are ten, and the page beside them names each with its licence", async () => {
  const page = readFileSync(join(folder, "README.md"), "utf8");
  const records = (await Promise.all(files.map((file) => read(folder, file)))).flat();
  expect(records).toHaveLength(10);
  for (const { id, licence, repo = "entireio/cli", messages } of records) {
    const row = page.split("\n").find((line) => line.includes(`| \`${id}\` | ${messages.length} |`));
    expect(row, id).toContain(` ${licence} |`);
    expect(existsSync(join(folder, "licences", `${repo.replace("/", "+")}.txt`)), repo).toBe(true);
  }
});

test.runIf(hasAllRecordings)("they are those of the whole collection, message by message", async () => {
  for (const file of files) {
    const whole = new Map((await read(recordingsFolder, file)).map((record) => [record.id, record.messages]));
    for (const { id, messages } of await read(folder, file)) expect(whole.get(id), id).toEqual(messages);
  }
});

async function read(from: string, file: string): Promise<readonly WireRecord[]> {
  const records: WireRecord[] = [];
  for await (const record of recordsOf(join(from, file))) records.push(record);
  return records;
}
