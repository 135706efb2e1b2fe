/** Draws all sources: Pith beside every other strategy, a row for each source and size. */
import { recordedSummary, strategies } from "../strategies/all.ts";
import { colours } from "./colours.ts";
import type { Figure } from "./figure.ts";
import { kindTitles } from "./kinds.ts";
import { circle, document, line, rect, text } from "./svg.ts";

/** A row for each source and size: Pith with its interval, every other strategy as a small dot. */
export function plotSources(figures: readonly Figure[]): string {
  const kinds = Object.keys(kindTitles);
  const rows = [...Map.groupBy(figures, ({ source }) => source).values()].flatMap((own) =>
    kinds.map((kind) => own.filter((figure) => figure.kind === kind)).filter((cell) => cell.length > 0),
  );
  const [left, top, width, step] = [264, 52, 540, 22];
  const x = (share: number) => left + share * width;
  const bottom = top + rows.length * step;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      line({ from: [x(share), top - 8], to: [x(share), bottom], colour: colours.grid }) +
      text(`${share * 100} %`, { at: [x(share), bottom + 18], anchor: "middle", colour: colours.ink }),
  );
  const drawn = rows.map((cell, order) => {
    const y = top + order * step + step / 2;
    const { source, kind } = cell[0]!;
    const others = cell.filter(({ strategy }) => isOther(strategy));
    const pith = cell.find(({ strategy }) => strategy === "pith");
    const isNewSource = rows[order - 1]?.[0]?.source !== source;
    return [
      isNewSource ? text(source, { at: [16, y + 4], colour: colours.ink, isBold: true }) : "",
      text(kindTitles[kind]!, { at: [left - 12, y + 4], anchor: "end", colour: colours.ink }),
      ...others.map(({ strategy, held }) =>
        circle({
          at: [x(held.mean), y],
          radius: 3.5,
          colour: strategy === recordedSummary.name ? colours.model : colours.plain,
        }),
      ),
      pith
        ? rect({
            at: [x(pith.held.low), y - 3],
            size: [(pith.held.high - pith.held.low) * width, 6],
            colour: colours.pith,
            opacity: 0.3,
          })
        : "",
      pith ? circle({ at: [x(pith.held.mean), y], radius: 5, colour: colours.pith }) : "",
    ].join("");
  });
  return document({
    width: 860,
    height: bottom + 34,
    title: "Carry-forward recall on every source",
    content: [
      text("Held after compaction", { at: [16, 26], colour: colours.ink, isBold: true }),
      circle({ at: [x(0) + 8, 22], radius: 5, colour: colours.pith }),
      text("Pith, with 95 % interval", { at: [x(0) + 20, 26], colour: colours.ink }),
      circle({ at: [x(0) + 208, 22], radius: 3.5, colour: colours.plain }),
      text("peers and naive strategies", { at: [x(0) + 218, 26], colour: colours.ink }),
      circle({ at: [x(0) + 412, 22], radius: 3.5, colour: colours.model }),
      text("the recorded model", { at: [x(0) + 422, 26], colour: colours.ink }),
      ...grid,
      ...drawn,
    ],
  });
}

function isOther(name: string): boolean {
  return name !== "pith" && !strategies.some((each) => each.name === name && each.group === "preset");
}
