/** A progress bar on stderr: redrawn on a terminal, a line at every tenth elsewhere. */
import { createProgress } from "../../src/cli/progress.ts";

export interface ProgressBar {
  readonly show: (done: number, what: string) => void;
  readonly end: () => void;
}

export function createProgressBar(total: number): ProgressBar {
  const progress = createProgress();
  let tenths = 0;
  return {
    show: (done, what) => {
      progress.show(done / total, `${what}, ${done} of ${total}`);
      const reached = Math.floor((done / total) * 10);
      if (process.stderr.isTTY || reached === tenths) return;
      tenths = reached;
      process.stderr.write(`${done} of ${total}\n`);
    },
    end: progress.clear,
  };
}
