/** difference: two texts line by line, with long runs of the same lines left out; may take long, so a worker runs it. */
import { diffLines } from "diff";

export interface DiffPart {
  readonly kind: "same" | "removed" | "added" | "left-out";
  readonly text: string;
  /** How many lines. */
  readonly lines: number;
}

/** Lines of the same that stay on either side of a change. */
const around = 3;
const patienceMs = 4000;

export function difference(before: string, after: string): readonly DiffPart[] {
  const found = diffLines(before, after, { timeout: patienceMs });
  if (!found) {
    return [
      { kind: "removed", text: before, lines: before.split("\n").length },
      { kind: "added", text: after, lines: after.split("\n").length },
    ];
  }
  return found.flatMap(({ value, added, removed, count }, order): readonly DiffPart[] => {
    if (added || removed) return [{ kind: added ? "added" : "removed", text: value, lines: count }];
    return shortened(value, { first: order === 0, last: order === found.length - 1 });
  });
}

function shortened(text: string, { first, last }: { first: boolean; last: boolean }): readonly DiffPart[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const [head, tail] = [first ? 0 : around, last ? 0 : around];
  const out = lines.length - head - tail;
  if (out < 4) return [{ kind: "same", text: lines.join("\n"), lines: lines.length }];
  const parts: DiffPart[] = [
    { kind: "same", text: lines.slice(0, head).join("\n"), lines: head },
    { kind: "left-out", text: "", lines: out },
    { kind: "same", text: lines.slice(lines.length - tail).join("\n"), lines: tail },
  ];
  return parts.filter(({ lines }) => lines > 0);
}
