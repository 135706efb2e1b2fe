/** Session files compacted by the program `pith`, what it wrote compacted once more, and both undone. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { detectTranscript } from "../src/transcripts/index.ts";
import { sayThatDataIsAbsent } from "./recordings.ts";
import { inTemporaryFolder, runPith } from "./run-pith.ts";
import { nativeFiles, type SessionFile, sampleFiles } from "./session-files.ts";
import { type Viewed, viewFaults, views } from "./transcript-views.ts";

if (nativeFiles.length === 0) sayThatDataIsAbsent("native files compacted twice");

const samples = await sampleFiles();

/** Claude Code writes lines of its own before the first message: a title for each session that it has seen. */
const titled = samples.slice(0, 1).map((file): SessionFile => {
  const title = (at: number) =>
    JSON.stringify({ type: "summary", summary: `Session ${at}`, leafUuid: `${at}` });
  const titles = Array.from({ length: 208 }, (_, at) => `${title(at)}\n`).join("");
  return { ...file, name: `titled-${file.name}`, bytes: () => Buffer.from(titles + file.bytes()) };
});

/** A chat in plain text that begins with a long ask. */
const turns = Array.from({ length: 60 }, (_, at) => {
  const ask = at === 0 ? "Here is all that I know. ".repeat(3_000) : `And module ${at}?`;
  return `## User\n\n${ask}\n\n## Assistant\n\n${`Module ${at} has the value ${at * 31}. `.repeat(40)}\n\n`;
});
const chat: SessionFile = {
  name: "chat.md",
  format: "markdown-chat",
  bytes: () => Buffer.from(turns.join("")),
};

test.concurrent.for([...nativeFiles, ...samples, ...titled, chat])(
  "[R35] $name is compacted twice, each time into a file of its program, and each time it comes back",
  ({ name, format, bytes }) =>
    inTemporaryFolder(async (folder) => {
      const extension = /\.\w+$/.exec(name)?.[0];
      const [file, once, twice] = ["file", "once", "twice"].map((each) => `${each}${extension}`) as [
        string,
        string,
        string,
      ];
      const textOf = (each: string) => readFileSync(join(folder, each), "utf8");
      const options = { folder, environment: { PITH_ARCHIVE: "a.sqlite" } };
      writeFileSync(join(folder, file), bytes());
      const first = await runPith(["compact", file, "--target", "30%", "-o", once], options);
      expect(first).toMatchObject({ exitCode: 0, stdout: "" });
      const second = await runPith(["compact", once, "--target", "50%", "-o", twice], options);
      expect(second).toMatchObject({ exitCode: 0, stdout: "" });
      const formats = [file, once, twice].map((each) => detectTranscript(textOf(each))?.name);
      expect(formats).toEqual([format, format, format]);
      const [before, after] = [once, twice].map((each) => views[format]!(textOf(each))) as [
        readonly Viewed[],
        readonly Viewed[],
      ];
      expect(JSON.stringify(after).length).toBeLessThan(JSON.stringify(before).length);
      const handoffs = textOf(twice).includes("[Pith hand-off]") ? 1 : 0;
      expect(viewFaults(before, after, handoffs)).toEqual([]);
      for (const [made, of] of [
        [twice, once],
        [once, file],
      ] as const) {
        expect((await runPith(["undo", made, "-o", "back"], options)).exitCode).toBe(0);
        expect(readFileSync(join(folder, "back")).equals(readFileSync(join(folder, of)))).toBe(true);
      }
    }),
);
