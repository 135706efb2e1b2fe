/** Draws one source: what is held over the sizes, a line for each strategy. */
import { recordedSummary, strategies } from "../strategies/all.ts";
import { colours } from "./colours.ts";
import type { Figure } from "./figure.ts";
import { kindTitles, longKinds } from "./kinds.ts";
import { circle, document, line, path, text } from "./svg.ts";

const peerColours = ["#3b82f6", "#8b5cf6", "#b45309", "#ef4444", "#0891b2", "#be185d", "#d6a12f"];

/** Lines over the sizes for Pith, its peers and keeping the most recent. Empty where the source has no such figures. */
export function plotSizes(figures: readonly Figure[], source: string): string {
  const own = figures.filter((figure) => figure.source === source && longKinds.includes(figure.kind));
  const columns = longKinds.filter((kind) => own.some((figure) => figure.kind === kind));
  const [left, top, width, height] = [56, 48, 460, 330];
  const x = (kind: string) => left + (columns.indexOf(kind) * width) / Math.max(1, columns.length - 1);
  const y = (share: number) => top + height - share * height;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      line({ from: [left, y(share)], to: [left + width, y(share)], colour: colours.grid }) +
      text(`${share * 100} %`, { at: [left - 8, y(share) + 4], anchor: "end", colour: colours.ink }),
  );
  const titles = columns.map((kind) =>
    text(kindTitles[kind]!, { at: [x(kind), top + height + 24], anchor: "middle", colour: colours.ink }),
  );
  const lines = shownLines(own).map(({ label, colour, isPith, points }) => {
    const ordered = columns.flatMap((kind) => points.filter((point) => point.kind === kind));
    const whiskers = isPith
      ? ordered.map(({ kind, held }) =>
          line({ from: [x(kind), y(held.low)], to: [x(kind), y(held.high)], colour, width: 6, opacity: 0.3 }),
        )
      : [];
    const drawn = path(
      // The recorded summaries are other cases than the cuts: no line leads there.
      ordered.filter(({ kind }) => kind !== "recorded").map(({ kind, held }) => [x(kind), y(held.mean)]),
      { colour, width: isPith ? 3 : 1.6 },
    );
    const dots = ordered.map(({ kind, held }) =>
      circle({ at: [x(kind), y(held.mean)], radius: isPith ? 4.5 : 3, colour }),
    );
    const end = ordered.at(-1)!.held.mean;
    return { label, colour, isPith, end, marks: [...whiskers, drawn, ...dots].join("") };
  });
  const labels = spread(lines.map(({ end }) => y(end))).map((at, order) => {
    const { label, colour, isPith } = lines[order]!;
    return text(label, { at: [left + width + 14, at + 4], colour, isBold: isPith });
  });
  return document({
    width: 860,
    height: top + height + 46,
    title: `Carry-forward recall on ${source}`,
    content: [
      text(`Held after compaction, ${source}`, { at: [left, 26], colour: colours.ink, isBold: true }),
      ...grid,
      ...titles,
      ...lines.map(({ marks }) => marks),
      ...labels,
    ],
  });
}

interface ShownLine {
  readonly label: string;
  readonly colour: string;
  readonly isPith: boolean;
  readonly points: readonly Figure[];
}

/** Presets are left to the tables: their lines would hide one another. */
function shownLines(figures: readonly Figure[]): readonly ShownLine[] {
  const shown = strategies.filter(
    ({ name, group }) => group === "pith" || group === "peer" || name === "recent",
  );
  const unused = peerColours.values();
  return [...shown, { ...recordedSummary, group: "peer" }].flatMap(({ name, label, group }) => {
    const points = figures.filter(({ strategy }) => strategy === name);
    if (points.length === 0) return [];
    const colour =
      group === "pith"
        ? colours.pith
        : group === "peer"
          ? (unused.next().value ?? colours.ink)
          : colours.plain;
    return [{ label, colour, isPith: group === "pith", points }];
  });
}

const labelHeight = 17;

/** Moves places apart downwards in their order until no label lies on another. */
function spread(places: readonly number[]): readonly number[] {
  const moved = [...places];
  let least = Number.NEGATIVE_INFINITY;
  for (const order of places.map((_, index) => index).sort((a, b) => places[a]! - places[b]!)) {
    moved[order] = Math.max(places[order]!, least);
    least = moved[order]! + labelHeight;
  }
  return moved;
}
