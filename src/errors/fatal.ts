/** Fatal errors: a stack or a memory that is exhausted says something about the process, and is nobody's to swallow (F56). */

/** Throws the error again where it, or what it was caused by, is one of these. */
export function raiseFatal(error: unknown): void {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    if (cause instanceof RangeError && EXHAUSTED.test(cause.message)) throw cause;
    cause = cause.cause;
  }
}

const EXHAUSTED = /call stack|out of memory|allocation failed|invalid string length/i;
const MOST_CAUSES = 8;
