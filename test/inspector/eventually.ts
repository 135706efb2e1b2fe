/** eventually: what a page shows once it has caught up, on a busy machine as well. */
import { expect } from "vitest";

export function eventually<Shown>(shown: () => Promise<Shown>) {
  return expect.poll(shown, { timeout: 15_000, interval: 30 });
}
