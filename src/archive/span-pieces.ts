/** Span pieces: the lines of a span, each the id of a message and the turns of the story that it is of. */

/** A message of a span. `12`: it is of turn 12. `1-11`: it is a hand-off, which stands for turns 1 to 11. Merged, it is both. */
export interface SpanPiece {
  readonly id: string;
  readonly turn?: number;
  readonly standsFor?: TurnRange;
}

/** Both inclusive. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** What a piece's line says behind the id. */
export function turnText({ turn, standsFor }: Omit<SpanPiece, "id">): string {
  const told = standsFor && `${standsFor.from}-${standsFor.to}`;
  return [told, turn].filter((each) => each !== undefined).join(" ");
}

export function spanText(ids: readonly string[], turns: readonly string[]): string {
  return ids.map((id, at) => (turns[at] ? `${id} ${turns[at]}` : id)).join("\n");
}

export function spanPieces(content: string): readonly SpanPiece[] {
  return content
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [id = "", ...turns] = line.split(" ");
      const told = turns.find((each) => each.includes("-"))?.split("-");
      const own = turns.find((each) => !each.includes("-"));
      return {
        id,
        ...(own !== undefined && { turn: Number(own) }),
        ...(told && { standsFor: { from: Number(told[0]), to: Number(told[1]) } }),
      };
    });
}
