/** Session files of agent programs: the raw ones of the data folder, or a few put together again from the ten recordings. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { recordingsFolder, recordsOf } from "./recordings.ts";

export interface SessionFile {
  /** Such as `codex/rollout-019efedf.jsonl`: the folder tells the program. */
  readonly name: string;
  /** Of transcripts. */
  readonly format: string;
  readonly bytes: () => Buffer;
}

/** Every raw file, unpacked; none where only the ten recordings are. */
export const nativeFiles: readonly SessionFile[] = filesIn(join(recordingsFolder, "native"));

function filesIn(folder: string): readonly SessionFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "index.json")
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const name = path.slice(folder.length + 1).replace(/\.gz$/, "");
      const bytes = () => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path));
      return { name, format: formatOf(name), bytes };
    });
}

/** The Codex folder has two kinds. */
function formatOf(name: string): string {
  const [folder = ""] = name.split("/");
  if (folder === "codex") return name.includes("rollout") ? "codex-rollout" : "codex-tui-log";
  return folder;
}

/** The first recording of two sources of Claude Code, as the file that it was. */
export async function sampleFiles(): Promise<readonly SessionFile[]> {
  const sources = ["claude-code-log", "claude-code-oh-my-posh"];
  return Promise.all(
    sources.map(async (source) => {
      const recorded = await recordsOf(join(recordingsFolder, `${source}.jsonl.gz`)).next();
      const { id, messages } = recorded.value!;
      const text = messages.map((line: unknown) => `${JSON.stringify(line)}\n`).join("");
      return { name: `${id}.jsonl`, format: "claude-code", bytes: () => Buffer.from(text) };
    }),
  );
}
