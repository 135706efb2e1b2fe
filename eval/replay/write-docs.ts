/** Writes the tables of a replay between the markers of docs/replay.md, and its plot beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plotReplay } from "../../src/replay/plot-replay.ts";
import type { ReplayRow } from "./row.ts";
import { doesNotFit, summedStrategies } from "./summed.ts";
import { replayTables } from "./tables.ts";

const docs = join(import.meta.dirname, "../../docs");
const plottedWindow = 64_000;

export function writeReplayDocs(rows: readonly ReplayRow[]): void {
  const page = join(docs, "replay.md");
  const place = /(<!-- replay -->\n)[\s\S]*?(<!-- \/replay -->)/;
  const before = readFileSync(page, "utf8");
  writeFileSync(
    page,
    before.replace(place, (_, start, end) => `${start}\n${replayTables(rows)}\n\n${end}`),
  );
  const plotted = rows.filter(({ window }) => window === plottedWindow).filter(doesNotFit(rows));
  const count = new Set(plotted.map(({ id }) => id)).size;
  const title = `${count} recordings that do not fit a window of ${plottedWindow / 1000}k tokens`;
  writeFileSync(join(docs, "images/replay.svg"), plotReplay(summedStrategies(plotted), title));
}
