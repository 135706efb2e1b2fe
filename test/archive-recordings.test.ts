/** Recorded conversations with an archive: every id leads to its original, and every request can be put together again. */
import { expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { MARKER } from "../src/archive/item-id.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/index.ts";
import { rawOriginal } from "../src/recall/raw-original.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";

const full = process.env.PITH_FULL === "1";
/** Every so many of them are taken by default; of ten all. */
const stride = full || !hasAllRecordings ? 1 : 12;
const targets = ["80%", "30%", "5%"] as const;

test(
  "[F79] recorded conversations come back from the archive, whatever was cut",
  async () => {
    const faults: string[] = [];
    let taken = 0;
    for await (const { id, format, messages } of recordings()) {
      if (taken++ % stride !== 0) continue;
      const archive = memoryArchive();
      const body = JSON.stringify(format === "openai-chat" ? messages : { messages });
      const target = targets[((taken / stride) % targets.length) | 0]!;
      const { body: output, report } = await createCompactor({ target: "50%", archive, format }).compact(
        body,
        { target },
      );
      const say = (fault: string) => faults.push(`${id} at ${target}: ${fault}`);
      if (report.error && report.error.code !== "TARGET_UNREACHABLE") say(report.error.message);
      if (!report.compacted) continue;
      const quoted = new Set(body.match(MARKER));
      for (const marker of new Set(String(output).match(MARKER))) {
        const original = await rawOriginal(archive, marker);
        if (!original && !quoted.has(marker)) say(`${marker} leads nowhere`);
      }
      const record = (await archive.compaction!(report.compaction!))!;
      for (const [side, text] of [
        [record.before, body],
        [record.after, String(output)],
      ] as const) {
        const rebuilt = (await rawOriginal(archive, side))!.text;
        if (rebuilt !== text && !(report.maskedSecrets! > 0 && isMasked(text, rebuilt)))
          say("a request is not rebuilt");
      }
      if (JSON.stringify((await archiveFaults(archive)).slice(0, 2)) !== "[]") say("verify finds faults");
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(taken).toBeGreaterThan(hasAllRecordings ? 100 : 8);
  },
  full ? 3_600_000 : 120_000,
);

async function archiveFaults(archive: Archive) {
  return (await archive.verify!()).faults;
}

/** The same with secrets masked: what is left of both when the masks are taken out says the same. */
function isMasked(text: string, rebuilt: string): boolean {
  const pieces = rebuilt.split(/\[redacted: [^\]]+\]/);
  let from = 0;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return pieces.length > 1;
}
