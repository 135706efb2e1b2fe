/** A model that answers by hand: its prompts are written to a folder, and whoever stands in for it puts each answer beside its prompt. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SummarizerFailedError } from "../../src/errors/summarizer-failed-error.ts";
import type { Summarizer } from "../../src/summarizer/summarizer.ts";

export interface WrittenModelOptions {
  readonly folder: string;
  /** What its prompts are called: `NAME-1f0c9a2b/prompt.md`, answered in `answer.md` beside it. */
  readonly name: string;
  /** An answer to every prompt, where there is one already, such as the recorded summary. */
  readonly answer?: string | undefined;
}

/** Fails where the answer is not there yet. */
export function writtenModel({ folder, name, answer }: WrittenModelOptions): Summarizer {
  return {
    name: "written by hand",
    summarize: async ({ prompt }) => {
      const id = createHash("sha256").update(prompt).digest("hex").slice(0, 8);
      const place = join(folder, `${name}-${id}`);
      const file = join(place, "answer.md");
      const text = answer ?? (existsSync(file) ? readFileSync(file, "utf8") : undefined);
      if (text !== undefined) return { text, finish: "stop", model: "by hand" };
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "prompt.md"), prompt);
      throw new SummarizerFailedError("written by hand", "other", `${place} waits for its answer.`);
    },
  };
}
