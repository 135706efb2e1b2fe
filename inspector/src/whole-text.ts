/** wholeText: all the lines that the archive has under an id, up to a size at which nobody reads on. */
import { source } from "./source.ts";

const page = 2000;
const enough = 40_000;

export async function wholeText(id: string, signal: AbortSignal): Promise<string> {
  const lines: string[] = [];
  for (let total = 1; lines.length < total && lines.length < enough; ) {
    const item = await source.item(id, lines.length, page, signal);
    if (item.lines.length === 0) break;
    lines.push(...item.lines);
    total = item.total;
  }
  return lines.join("\n");
}
