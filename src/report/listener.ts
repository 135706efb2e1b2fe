/** listener: a callback of the caller that is told of compactions. What it does with that costs no compaction. */
import { raiseFatal } from "../errors/fatal.ts";
import { warnOfListener } from "./warn-of-failure.ts";

/** The callback given as this option; where it throws, or rejects, there is a warning, and the work continues. */
export function listener<Told>(
  option: string,
  callback: ((told: Told) => unknown) | undefined,
): (told: Told) => void {
  if (!callback) return () => {};
  const failed = (cause: unknown): void => {
    raiseFatal(cause);
    warnOfListener(option, cause);
  };
  return (told) => {
    try {
      const returned = callback(told);
      if (returned instanceof Promise) returned.catch(failed);
    } catch (cause) {
      failed(cause);
    }
  };
}
