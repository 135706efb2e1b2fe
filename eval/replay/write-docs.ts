/** Writes the tables of a replay between the markers of docs/replay.md, and its plot beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plotReplay } from "../../src/replay/plot-replay.ts";
import type { ReplayRow } from "./row.ts";
import { doesNotFit, summedStrategies } from "./summed.ts";
import { presetTable, replayTables } from "./tables.ts";

const docs = join(import.meta.dirname, "../../docs");
const plottedWindow = 64_000;

/** `withPresets`: rows of every strategy, for the table of all presets. */
export function writeReplayDocs(rows: readonly ReplayRow[], withPresets: readonly ReplayRow[]): void {
  fill("replay", replayTables(rows));
  fill("presets", presetTable(withPresets));
  const plotted = rows.filter(({ window }) => window === plottedWindow).filter(doesNotFit(rows));
  const count = new Set(plotted.map(({ id }) => id)).size;
  const title = `${count} recordings that do not fit a window of ${plottedWindow / 1000}k tokens`;
  writeFileSync(join(docs, "images/replay.svg"), plotReplay(summedStrategies(plotted), title));
}

/** Puts text between `<!-- name -->` and `<!-- /name -->` of docs/replay.md. */
function fill(name: string, text: string): void {
  const page = join(docs, "replay.md");
  const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const before = readFileSync(page, "utf8");
  if (!place.test(before)) throw new Error(`docs/replay.md has no place for ${name}.`);
  writeFileSync(
    page,
    before.replace(place, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
}
