/** useLoaded: a value that is asked for, with whether it is there yet or why it is not. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

export type Loaded<T> =
  | { readonly state: "loading"; readonly value?: T }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly value?: T; readonly why: string };

/** What comes of a question: never rejects. */
export function answerTo<T>(asked: Promise<T>): Promise<Loaded<T>> {
  return asked.then(
    (value) => ({ state: "ready", value }),
    (cause: unknown) => ({ state: "failed", why: cause instanceof Error ? cause.message : String(cause) }),
  );
}

/** Asks again when one of the keys changes, and shows the value before until the new one is there. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> & { readonly reload: () => void } {
  const [round, setRound] = useState(0);
  /** Another object for each question: an answer to an older one is no longer the answer. */
  const question = useMemo(() => ({}), [...keys, round]);
  const [answered, setAnswered] = useState<{ to: object; loaded: Loaded<T> }>();
  // Before the first paint, not after it: the answer is on its way while the page draws.
  useLayoutEffect(() => {
    const asked = new AbortController();
    const answer = (loaded: Loaded<T>) => {
      if (!asked.signal.aborted) setAnswered({ to: question, loaded });
    };
    void answerTo(load(asked.signal)).then(answer);
    return () => asked.abort();
  }, [question]);
  const last = useRef<T>(undefined);
  if (answered?.loaded.value !== undefined) last.current = answered.loaded.value;
  const known = last.current === undefined ? {} : { value: last.current };
  const loaded: Loaded<T> =
    answered?.to === question ? { ...known, ...answered.loaded } : { state: "loading", ...known };
  return { ...loaded, reload: useCallback(() => setRound((now) => now + 1), []) };
}
