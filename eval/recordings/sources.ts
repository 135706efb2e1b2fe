/** Sources: the recorded conversations that are measured, where they are found, and how each becomes OpenAI messages. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { RecordedMessage } from "../measure/cases.ts";
import { fromMultiAgent } from "./multi-agent.ts";
import { fromNebius } from "./nebius.ts";
import { fromSmolagents } from "./smolagents.ts";
import { fromSweAgent } from "./swe-agent.ts";
import { fromTau2 } from "./tau2.ts";

/** What the agents of a source do. */
export type SourceKind = "coding" | "customer service" | "tools" | "web" | "multi-agent";

export interface Source {
  readonly name: string;
  readonly kind: SourceKind;
  readonly file: string;
  readonly read: (messages: readonly RecordLine[]) => readonly RecordedMessage[];
}

export interface Recording {
  readonly id: string;
  readonly messages: readonly RecordedMessage[];
}

/** A message as a source's file has it. */
export type RecordLine = Readonly<Record<string, unknown>>;

const asTheyAre = (messages: readonly RecordLine[]) => messages as unknown as readonly RecordedMessage[];

export const sources: readonly Source[] = [
  { name: "coding-sessions", kind: "coding", file: "coding-sessions.jsonl.br", read: asTheyAre },
  { name: "derived-openai", kind: "coding", file: "derived-openai.jsonl.gz", read: asTheyAre },
  { name: "swe-play", kind: "coding", file: "swe-play.jsonl.gz", read: asTheyAre },
  { name: "swe-agent", kind: "coding", file: "swe-agent.jsonl.gz", read: fromSweAgent },
  { name: "nebius-swe-agent", kind: "coding", file: "nebius-swe-agent.jsonl.gz", read: fromNebius },
  { name: "openhands-llm-log", kind: "coding", file: "openhands-llm-log.jsonl.gz", read: asTheyAre },
  {
    name: "tau-bench-airline",
    kind: "customer service",
    file: "tau-bench-airline.jsonl.gz",
    read: asTheyAre,
  },
  { name: "tau2-activegraph", kind: "customer service", file: "tau2-activegraph.jsonl.gz", read: fromTau2 },
  { name: "livemcpbench", kind: "tools", file: "livemcpbench.jsonl.gz", read: asTheyAre },
  { name: "trail-gaia", kind: "web", file: "trail-gaia.jsonl.gz", read: fromSmolagents },
  { name: "webdancer", kind: "web", file: "webdancer.jsonl.gz", read: asTheyAre },
  { name: "whowhen", kind: "multi-agent", file: "whowhen.jsonl.gz", read: fromMultiAgent },
  { name: "example", kind: "coding", file: "coding-session.json", read: asTheyAre },
];

/** The folder of recordings beside the checkout, or undefined where this machine has none. */
export function dataFolder(): string | undefined {
  const folder = join(import.meta.dirname, "../../../shared/data");
  return existsSync(join(folder, "derived-openai.jsonl.gz")) ? folder : undefined;
}

/** Ten of them that the repository holds for its tests: enough to try, too few to measure. */
export const tenFolder = join(import.meta.dirname, "../../test/fixtures/recordings");

/** The one recording that is shown to readers. */
export const shippedFolder = join(import.meta.dirname, "../../examples");

/** The sources that a folder has. */
export function sourcesIn(folder: string): readonly Source[] {
  return sources.filter(({ file }) => existsSync(join(folder, file)));
}

/** All recordings of a source, in the order of its file. */
export function readSource(
  folder: string,
  { name, file, read }: Pick<Source, "name" | "file" | "read">,
): readonly Recording[] {
  const text = unpack(file, readFileSync(join(folder, file))).toString("utf8");
  if (file.endsWith(".json")) return [{ id: name, messages: read(JSON.parse(text) as RecordLine[]) }];
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { id, messages } = JSON.parse(line) as { id: string; messages: readonly RecordLine[] };
      return { id, messages: read(messages) };
    });
}

function unpack(file: string, packed: Buffer): Buffer {
  if (file.endsWith(".br")) return brotliDecompressSync(packed);
  return file.endsWith(".gz") ? gunzipSync(packed) : packed;
}
