/** Bad input and bad flags: a message that names the place and the fix, the right exit code, nothing written. */
import { chmodSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const user = '{"role":"user","content":"Fix the build."}';

const badInputs: readonly (readonly [what: string, content: string | Buffer, said: RegExp])[] = [
  ["an empty file", "", /empty/],
  ["only white space", " \n\t\n", /empty/],
  ["a cut JSON text", `[${user},{"role":"assist`, /line 1.*column/s],
  ["a cut JSON text on a later line", `[\n${user},\n{"role":\n`, /line [34]/],
  ["a number", "42", /list of messages|messages/],
  ["a text", '"hello"', /list of messages|messages/],
  ["an object without messages", '{"model":"gpt-4o"}', /messages/],
  ["messages of the wrong type", '{"messages":"hello"}', /messages/],
  ["a message that is no object", `[${user},7]`, /messages?\[1\]|message 1/],
  ["a binary file", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]), /binary|not text/],
  ["a gzip file", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /gzip/],
  ["Latin-1 text", Buffer.from('[{"role":"user","content":"caf\xe9"}]', "latin1"), /UTF-8/],
  ["JSON Lines", `${user}\n${user}\n`, /--jsonl|messages/],
];

for (const [what, content, said] of badInputs) {
  test.concurrent(`refuses ${what} with exit code 2 and a reason`, async () => {
    await inTemporaryFolder(async (folder) => {
      writeFileSync(join(folder, "in.json"), content);
      const run = await runPith(["compact", "in.json", "--target", "50%", "-o", "out.json"], { folder });
      expect(run.stderr).toMatch(said);
      expect(run.stderr).toContain("in.json");
      expect(run.stderr).not.toMatch(/\n\s+at /);
      expect(run.exitCode).toBe(2);
      expect(run.stdout).toBe("");
      expect(readdirSync(folder)).toEqual(["in.json"]);
    });
  });
}

const badFlags: readonly (readonly [flags: string, said: RegExp])[] = [
  ["--window -5", /--window -5.*above 0/],
  ["--window 0", /--window 0/],
  ["--window many", /--window many/],
  ["--reserve -1", /--reserve -1/],
  ["--window 1000 --reserve 2000", /reserve/],
  ["--target 0", /--target 0/],
  ["--target 120%", /--target 120%/],
  ["--target -3", /--target -3/],
  ["--target lots", /--target lots/],
  ["--target 30% --preset nobody", /nobody/],
  ["--target 30% --preset balanced+nothing", /nothing/],
  ["--target 30% --format morse", /morse/],
  ["--target 30% --summarizer http://localhost:1", /say which model to ask there/],
  ["--target 30% --summarizer same", /no agent whose model it could ask.*pith gateway/],
  ["--target 30% --summarizer none --summarizer http://localhost:1", /cannot be combined with others/],
  ["--target 30% --summarizer-model m", /give the address of the model too/],
  ["--target 30% --summarizer ftp://x --summarizer-model m", /give none, or an http\(s\) address/],
  [
    "--target 30% --summarizer http://me:secret@x --summarizer-model m",
    /Keys come from the environment only/,
  ],
  ["--target 30% --archive mysql://db/x", /--archive mysql:\/\/…: give a file, postgres/],
  ["--jsonl --dry-run", /--dry-run/],
  ["--jsonl --report r.json", /--report/],
  ["--no-such-flag", /no-such-flag/],
  ["--target 30% -o .", /folder/],
  ["--target 30% -o missing/out.json", /missing\/out\.json/],
  ["", /window/],
];

for (const [flags, said] of badFlags) {
  test.concurrent(`refuses ${flags || "a missing window"} with exit code 2`, async () => {
    await inTemporaryFolder(async (folder) => {
      writeFileSync(join(folder, "in.json"), `[${user},${user.replace("user", "assistant")},${user}]`);
      const run = await runPith(["compact", "in.json", ...flags.split(" ").filter(Boolean)], { folder });
      expect(run.stderr).toMatch(said);
      expect(run.stderr).not.toMatch(/\n\s+at /);
      expect(run.exitCode).toBe(2);
      expect(run.stdout).toBe("");
      expect(readdirSync(folder)).toEqual(["in.json"]);
    });
  });
}

test.concurrent("refuses a missing file, a folder and a file that may not be read", async () => {
  await inTemporaryFolder(async (folder) => {
    mkdirSync(join(folder, "folder"));
    writeFileSync(join(folder, "secret.json"), `[${user}]`);
    chmodSync(join(folder, "secret.json"), 0);
    const missing = await runPith(["compact", "nowhere.json", "--target", "50%"], { folder });
    expect(missing.stderr).toMatch(/nowhere\.json: there is no such file/);
    expect(missing.exitCode).toBe(2);
    const directory = await runPith(["plan", "folder", "--target", "50%"], { folder });
    expect(directory.stderr).toMatch(/folder is a folder/);
    expect(directory.exitCode).toBe(2);
    if (process.getuid?.() !== 0) {
      const secret = await runPith(["compact", "secret.json", "--target", "50%"], { folder });
      expect(secret.stderr).toMatch(/not permitted/);
      expect(secret.exitCode).toBe(2);
    }
  });
});

test.concurrent("refuses a file over the limit before it reads it", async () => {
  await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "huge.json"), "");
    truncateSync(join(folder, "huge.json"), 256 * 1024 * 1024 + 1);
    const { exitCode, stderr } = await runPith(["compact", "huge.json", "--target", "50%"], { folder });
    expect(stderr).toMatch(/limit of 256 MB/);
    expect(exitCode).toBe(2);
  });
});

test.concurrent("an unknown command and no command at all are usage errors", async () => {
  const [unknown, none] = await Promise.all([runPith(["compress"]), runPith([])]);
  expect(unknown!.exitCode).toBe(2);
  expect(unknown!.stderr).toMatch(/compress/);
  expect(none!.exitCode).toBe(2);
  expect(none!.stderr).toMatch(/Usage/);
});

test.concurrent("whoever reads a file says which one is wrong, and convert which formats it can write", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "notes.txt"), "some notes");
    for (const command of [["validate"], ["health"], ["convert", "--to", "openai"]]) {
      const { exitCode, stderr } = await runPith([...command, "notes.txt"], { folder });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/^pith: notes\.txt: The input is not JSON/),
      ]);
    }
    const { stderr } = await runPith(["convert", "notes.txt", "--to", "auto"], { folder });
    expect(stderr).toBe("pith: --to auto: give openai, anthropic or responses.\n");
  }));
