/** spokenIn: what is said in a message before its first call: of a message that calls tools, the part that people ask about. */
import type { ArchivedMessage } from "../archive/archive.ts";

/** Of a long message its start; empty where it only calls. */
export function spokenIn({ text, tools }: Pick<ArchivedMessage, "text" | "tools">): string {
  const read = text.slice(0, MAX_READ);
  const calls = tools.map((tool) => `\n${read}`.indexOf(`\n${tool} {`)).filter((at) => at >= 0);
  return read.slice(0, Math.min(read.length, ...calls)).trim();
}

const MAX_READ = 4_000;
