/** useLoaded: a value that is asked for, with whether it is there yet or why it is not. */
import { useCallback, useEffect, useState } from "preact/hooks";

export type Loaded<T> =
  | { readonly state: "loading"; readonly value?: T }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly value?: T; readonly why: string };

/** Asks again when one of the keys changes, and shows the value before until the new one is there. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const asked = new AbortController();
    setLoaded(({ value }) => (value === undefined ? { state: "loading" } : { state: "loading", value }));
    load(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setLoaded({ state: "ready", value });
      },
      (cause: unknown) => {
        if (asked.signal.aborted) return;
        const why = cause instanceof Error ? cause.message : String(cause);
        setLoaded(({ value }) => ({ state: "failed", why, ...(value !== undefined && { value }) }));
      },
    );
    return () => asked.abort();
  }, [...keys, round]);
  return { ...loaded, reload: useCallback(() => setRound((now) => now + 1), []) };
}
