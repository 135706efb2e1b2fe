/** Waits for what another process or thread does; the test's own time limit is the only clock. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
