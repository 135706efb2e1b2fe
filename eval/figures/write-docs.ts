/** Writes the tables of a run between the markers of a page, and its plots beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { plotSizes } from "./plot-sizes.ts";
import { plotSources } from "./plot-sources.ts";
import { figureTables } from "./table.ts";

const docs = join(import.meta.dirname, "../../docs");
const plottedSource = "coding-sessions";

/** `unseen`: the same comparison over the conversations that nothing was learned from. */
export function writeFigures(figures: readonly Figure[], versus: string, unseen: string): void {
  fillMarkers("held-out", unseen);
  fillMarkers("figures", `${versus}\n\n${figureTables(figures)}`);
  writeFileSync(join(docs, "images/carry.svg"), plotSizes(figures, plottedSource));
  writeFileSync(join(docs, "images/carry-sources.svg"), plotSources(figures));
}

/** Puts text between `<!-- name -->` and `<!-- /name -->` of docs/evaluation.md. */
export function fillMarkers(name: string, text: string): void {
  const page = join(docs, "evaluation.md");
  const before = readFileSync(page, "utf8");
  const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!place.test(before)) throw new Error(`docs/evaluation.md has no place for ${name}.`);
  writeFileSync(
    page,
    before.replace(place, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
}
