/** Writes the tables of a run between the markers of a page. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { figureTables } from "./table.ts";

const docs = join(import.meta.dirname, "../../docs");

export function writeFigures(figures: readonly Figure[], versus: string): void {
  fillMarkers("figures", `${versus}\n\n${figureTables(figures)}`);
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
