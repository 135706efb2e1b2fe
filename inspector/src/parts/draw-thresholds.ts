/** drawThresholds: the sizes at which something is done, and the window itself, as lines across the timeline. */
import type uPlot from "uplot";
import type { ConversationView } from "../../../src/inspect/views.ts";
import { share } from "../words.ts";

const actionWords = { shrink: "shrink", extract: "extract", "hand-off": "hand off", trim: "trim" } as const;
const labelHeight = 14;

export function drawThresholds(plot: uPlot, view: ConversationView, colour: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const pixels = devicePixelRatio;
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.font = `${11 * pixels}px system-ui`;
  ctx.textAlign = "right";
  ctx.lineWidth = pixels;
  ctx.strokeStyle = colour("--muted");
  ctx.fillStyle = colour("--ink");
  ctx.setLineDash([4 * pixels, 4 * pixels]);
  let free = Number.POSITIVE_INFINITY;
  for (const { tokens, words } of linesOf(view)) {
    const y = plot.valToPos(tokens, "y", true);
    if (y < bbox.top) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    // A label that would stand on the one below is left out.
    if (free - y < labelHeight * pixels) continue;
    free = y;
    // Set off from lines and colours behind it.
    ctx.save();
    ctx.setLineDash([]);
    ctx.lineWidth = 3 * pixels;
    ctx.strokeStyle = colour("--panel");
    ctx.strokeText(words, right - 4 * pixels, y - 5 * pixels);
    ctx.restore();
    ctx.fillText(words, right - 4 * pixels, y - 5 * pixels);
  }
  ctx.restore();
}

/** From the lowest to the highest. */
function linesOf({ thresholds, window }: ConversationView): readonly { tokens: number; words: string }[] {
  const lines = thresholds.flatMap(({ tokens, at, action, again }) =>
    tokens === undefined
      ? []
      : [{ tokens, words: `${share(at)} ${actionWords[action]}${again ? " again" : ""}` }],
  );
  if (window !== undefined) lines.push({ tokens: window, words: "window" });
  return lines.toSorted((a, b) => a.tokens - b.tokens);
}
