/**
 * Shows that no number of a preset can change unseen: changes each, counts by one, sizes and shares by 10 %, both ways, in a
 * copy of the sources, and runs the presets' table test. Prints every change that it does not notice, and how many it does.
 *
 *     npm run mutate:presets      npm run mutate:presets -- --only hermes      npm run mutate:presets -- --list
 */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfProject } from "./copy-of-project.ts";
import { projectRoot } from "./listed-tests.ts";

const { values: flags } = parseArgs({
  options: { only: { type: "string", default: "" }, list: { type: "boolean", default: false } },
});

/** A number in a source file, and what to put in its place. */
interface Change {
  readonly file: string;
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** The line it stands in, and the declaration above it. */
  readonly where: string;
}

const FILES = ["src/policy/presets.ts", "src/policy/modifiers.ts"];
const TABLE = "test/presets/table.test.ts";
/** Fields and arguments that count something: one more or one less. */
const COUNTS = /\b(?:messages|turns|distance|minMessages|promoteAt|UNTOUCHED|COMPLEX|points)\b[^,;]*$/;

const changes = FILES.flatMap(changesIn).filter(({ where }) => where.includes(flags.only));
if (flags.list)
  for (const { where, from, to } of changes) process.stdout.write(`${where}: ${from} → ${to}\n`);
else process.exitCode = (await unnoticed()) > 0 ? 1 : 0;

/** Zeros are left out: they say that a preset has no such thing. */
function changesIn(file: string): readonly Change[] {
  const source = readFileSync(join(projectRoot, file), "utf8");
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"|`[^`]*`/g, (gap) =>
    gap.replace(/[^\n]/g, " "),
  );
  return [...code.matchAll(/(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/g)].flatMap(({ 0: from, index: at }) => {
    const value = Number(from.replaceAll("_", ""));
    const before = code.slice(0, at);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    // In the modifiers other numbers are guards: what a constant says is theirs.
    if (value === 0 || (file.endsWith("modifiers.ts") && !line.startsWith("const"))) return [];
    const isCount = Number.isInteger(value) && value <= 50 && COUNTS.test(line);
    const others = isCount ? [value - 1, value + 1] : [0.9 * value, 1.1 * value].map(rounded);
    const declared =
      code
        .slice(0, at)
        .match(/^(?:export )?const (\w+)/gm)
        ?.at(-1) ?? "";
    const rest = source.slice(at - line.length).split("\n", 1)[0];
    const where = `${declared.replace(/.*const /, "")} ${rest?.trim()}`;
    return others.map((to) => ({ file, at, from, to: String(to), where }));
  });
}

/** A size stays a whole number. */
function rounded(value: number): number {
  return value >= 50 ? Math.round(value) : Number(value.toFixed(6));
}

async function unnoticed(): Promise<number> {
  const queue = [...changes];
  const folders = [copyOfProject(), copyOfProject()];
  let missed = 0;
  await Promise.all(
    folders.map(async (folder) => {
      for (let change = queue.shift(); change; change = queue.shift()) {
        if (await isNoticed(change, folder)) continue;
        missed++;
        process.stdout.write(`NOT NOTICED  ${change.where}: ${change.from} → ${change.to}\n`);
      }
      rmSync(join(folder, ".."), { recursive: true });
    }),
  );
  process.stdout.write(`${changes.length - missed} of ${changes.length} changed numbers were noticed\n`);
  return missed;
}

async function isNoticed({ file, at, from, to }: Change, folder: string): Promise<boolean> {
  const path = join(folder, file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, original.slice(0, at) + to + original.slice(at + from.length));
  try {
    const vitest = join(folder, "node_modules/vitest/vitest.mjs");
    const run = [vitest, "run", TABLE, "--bail=1", "--reporter=dot"];
    return await new Promise((done) =>
      execFile(process.execPath, run, { cwd: folder, timeout: 300_000 }, (error) => done(error !== null)),
    );
  } finally {
    writeFileSync(path, original);
  }
}
