/** The worker that compares texts, so that the page stays quick meanwhile. */
import { difference } from "./difference.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; before: string; after: string }>) => {
  postMessage({ id: data.id, parts: difference(data.before, data.after) });
});
