/** askForDifference: compares two texts in a worker; within the page where there is none, as in an exported page. */
import { type DiffPart, difference } from "./difference.ts";

let worker: Worker | undefined;
let asked = 0;

export function askForDifference(before: string, after: string): Promise<readonly DiffPart[]> {
  if (document.getElementById("pith-data")) return Promise.resolve(difference(before, after));
  worker ??= new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
  const [running, id] = [worker, ++asked];
  return new Promise((resolve) => {
    const answered = ({ data }: MessageEvent<{ id: number; parts: readonly DiffPart[] }>) => {
      if (data.id !== id) return;
      running.removeEventListener("message", answered);
      resolve(data.parts);
    };
    running.addEventListener("message", answered);
    running.postMessage({ id, before, after });
  });
}
