/** Runs one judge on one package, or takes what an earlier run of the same judge on the same commit found. */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runPool } from "../measure/pool.ts";
import type { Task } from "./judge.ts";
import type { Judged, Work } from "./judge-worker.ts";
import { judges } from "./judges.ts";
import { cacheFolder, type JudgedPackage } from "./package.ts";

export interface JudgeRun {
  readonly judge: string;
  readonly judged: JudgedPackage;
  /** PITH_ENGINE as the package sees it. */
  readonly engine: string | undefined;
  /** The recordings. */
  readonly data: string | undefined;
  readonly dump?: string | undefined;
}

export async function runJudge({ judge, judged, engine, data, dump }: JudgeRun): Promise<Judged> {
  const { PITH_ENGINE: _, ...env } = process.env;
  const work: Work = { judge, folder: judged.folder, dump };
  const answers = await runPool<Task, Judged>({
    script: new URL("./judge-worker.ts", import.meta.url),
    workerData: work,
    env: engine === undefined ? env : { ...env, PITH_ENGINE: engine },
    tasks: judges[judge]!.tasks(data),
  });
  return {
    scores: answers.flatMap(({ scores }) => scores),
    notes: answers.flatMap(({ notes }) => notes),
  };
}

/** A commit does not change: what was found is kept until the judges or the recordings do. */
export async function runJudgeOnce(run: JudgeRun): Promise<Judged> {
  const { judge, judged, engine = "", data } = run;
  const file = join(cacheFolder, "found", `${judged.name}-${engine}-${judge}-${judgesVersion(data)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Judged;
  const found = await runJudge(run);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(found));
  return found;
}

/** Changes with the source of the judges, with the questions, and with the sizes of the recordings. */
function judgesVersion(data: string | undefined): string {
  const hash = createHash("sha256");
  const root = join(import.meta.dirname, "../..");
  const sources = globSync(["eval/**/*.ts", "test/independent-count.ts"], {
    cwd: root,
    exclude: ["**/node_modules/**"],
  });
  for (const file of sources.toSorted()) hash.update(readFileSync(join(root, file)));
  if (data !== undefined)
    for (const file of globSync("{*,exam/*}.{gz,br,json,jsonl}", { cwd: data }).toSorted())
      hash.update(`${file} ${statSync(join(data, file)).size}\n`);
  return hash.digest("hex").slice(0, 16);
}
