/** Golden files: what Pith makes of six recorded conversations at three sizes, as text that a person can read and compare. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RecordedMessage } from "../measure/cases.ts";
import { renderMessages } from "../measure/render-messages.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { dataFolder, readSource, shippedFolder, sources, tenFolder } from "../recordings/sources.ts";
import { pith } from "../strategies/pith.ts";

/** The folder of the golden files: NAME-30.txt, NAME-10.txt, NAME-3.txt. */
export const goldenFolder = join(import.meta.dirname, "../../test/golden");

export interface GoldenConversation {
  readonly name: string;
  readonly source: string;
  readonly id: string;
}

/** None of them is a case of the exam, or a fork of one. The coding sessions end where their agents compacted. */
export const goldenConversations: readonly GoldenConversation[] = [
  { name: "coding", source: "coding-sessions", id: "43b2bd6e-ccc5-4d83-bbe5-9cd1cd19cc82" },
  { name: "coding-long", source: "coding-sessions", id: "b42aaf1f-96ad-4f7a-9f52-783eb0847649" },
  { name: "airline", source: "tau-bench-airline", id: "tau-airline-046-t3" },
  { name: "tools", source: "livemcpbench", id: "livemcp-08644b1a-ac5e-45a9-8ad1-3a3942e8d366" },
  { name: "agent-team", source: "whowhen", id: "whowhen-hand-37" },
  { name: "example", source: "example", id: "example" },
];

export const goldenPercents = [30, 10, 3] as const;

export interface GoldenFile {
  readonly file: string;
  readonly text: string;
}

/** The files of one conversation as this code makes them, or undefined where the recording is not here. */
export async function goldenFiles(golden: GoldenConversation): Promise<readonly GoldenFile[] | undefined> {
  const past = pastOf(golden);
  if (!past) return undefined;
  const shrink = await pith("balanced").prepare(past);
  const tokens = countedTokens(past, systemTexts(past));
  const files: GoldenFile[] = [];
  for (const percent of goldenPercents) {
    const target = Math.round((tokens * percent) / 100);
    const heading = `${golden.source} ${golden.id}: ${past.length} messages, ${tokens} tokens, target ${target} (${percent} %)`;
    const told = await tellResult(past, () => shrink(target));
    files.push({ file: `${golden.name}-${percent}.txt`, text: `${heading}\n${told}` });
  }
  return files;
}

async function tellResult(
  past: readonly WireMessage[],
  compact: () => Promise<readonly WireMessage[]> | readonly WireMessage[],
): Promise<string> {
  let messages: readonly WireMessage[];
  try {
    messages = await compact();
  } catch (error) {
    // A target below the floor is refused, and how it is refused is worth reading too.
    return `Refused: ${(error as Error).message}\n`;
  }
  const given = systemTexts(past);
  const heading = `Result: ${messages.length} messages, ${countedTokens(messages, given)} tokens; system messages are not shown.`;
  return `${heading}\n\n${renderMessages(messages)}`;
}

/** What came before the recorded agent's own first compaction, or everything. */
function pastOf({ source: name, id }: GoldenConversation): readonly WireMessage[] | undefined {
  const source = sources.find((each) => each.name === name)!;
  const folder = name === "example" ? shippedFolder : (dataFolder() ?? tenFolder);
  if (!folder || !existsSync(join(folder, source.file))) return undefined;
  const messages = readSource(folder, source).find((recording) => recording.id === id)!.messages;
  const compacted = messages.findIndex(({ summary }) => summary);
  return messages.slice(0, compacted < 0 ? undefined : compacted).map(withoutFlag);
}

function withoutFlag({ summary: _, ...message }: RecordedMessage): WireMessage {
  return message;
}
