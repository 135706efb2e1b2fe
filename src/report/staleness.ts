/** Staleness: tool results that no longer tell the truth: a file read before it was edited, an error fixed since. */
import type { Call } from "../engine/calls.ts";
import { hasFailed } from "../engine/outcome.ts";
import type { AnsweredCall, Reading } from "../engine/reading.ts";
import { fileShown, filesChanged } from "./call-files.ts";

export interface Stale {
  /** Place of the stale message in the list. */
  readonly position: number;
  /** Place of the message that made it stale. */
  readonly since: number;
  readonly reason: string;
}

/** The places of results that are still true, by the file that they show or the call that they are of. */
type Places = Map<string, number[]>;

export function findStale(readings: readonly Reading[]): readonly Stale[] {
  const stale: Stale[] = [];
  const shown: Places = new Map();
  const failed: Places = new Map();
  const outdate = (places: Places, key: string, since: number, reason: string): void => {
    for (const position of places.get(key) ?? []) stale.push({ position, since, reason });
    places.delete(key);
  };
  readings.forEach(({ calls, answers }, position) => {
    // A call that failed changed nothing; one without a result may have.
    for (const call of calls.filter(({ outcome }) => !hasFailed(outcome)))
      for (const file of filesChanged(call))
        outdate(shown, file, position, `${file} was changed since it was read here`);
    for (const answer of answers) {
      const { call } = answer;
      if (isFailed(answer)) {
        note(failed, keyOf(call), position);
        continue;
      }
      if (failed.size > 0)
        outdate(failed, keyOf(call), position, `${call.verb} failed here and succeeded since`);
      const file = fileShown(call);
      if (file !== undefined) note(shown, file, position);
    }
  });
  return stale.sort((one, other) => one.position - other.position);
}

function note(places: Places, key: string, position: number): void {
  const known = places.get(key);
  if (known) known.push(position);
  else places.set(key, [position]);
}

function isFailed({ call, part }: AnsweredCall): boolean {
  return hasFailed(call.outcome) || FAILED.test(part?.text ?? "");
}

const FAILED = /^\s{0,20}(?:error|fatal|traceback)\b/i;

/** The same call with the same arguments. */
function keyOf({ verb, subject, asked }: Call): string {
  return `${verb}\n${subject}\n${asked}`;
}
