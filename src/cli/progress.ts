/** Progress: one line that redraws itself on a terminal, and silence everywhere else. */
export interface Progress {
  /** `done` from 0 to 1; `label` says what is being worked on. */
  readonly show: (done: number, label: string) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** Work shorter than this shows no bar at all. */
const patienceMs = 400;
const redrawMs = 80;
const barWidth = 24;

export function createProgress(): Progress {
  const stream = process.stderr;
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  let nextAt = Date.now() + patienceMs;
  let drawn = false;
  return {
    show: (done, label) => {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + redrawMs;
      drawn = true;
      const filled = Math.round(Math.min(1, Math.max(0, done)) * barWidth);
      const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
      stream.write(`\r\x1b[2K${bar} ${String(Math.floor(done * 100)).padStart(3)}% ${label}`);
    },
    clear: () => {
      if (drawn) stream.write("\r\x1b[2K");
      drawn = false;
    },
  };
}
