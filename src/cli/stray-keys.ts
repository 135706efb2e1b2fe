/** Stray keys: those of JSON lines that nothing here reads. One that is nearly a known key is a fault, the others are told once. */
import { closestName } from "../policy/closest-name.ts";

export interface StrayKeys {
  /** Notes those of a line; gives what is wrong where one was probably meant for a key that the line does not have. */
  readonly faultIn: (line: object) => string | undefined;
  /** One line for people about those that were let through; "" where there were none. */
  readonly told: () => string;
}

/** More names are not told: a line may have any number. */
const MOST_TOLD = 10;

/**
 * @param called what a line is, as in "a job"
 * @param known the keys that a line may have
 * @param alike other names of these
 */
export function createStrayKeys(
  called: string,
  known: readonly string[],
  alike: readonly string[] = [],
): StrayKeys {
  const expected = new Set([...known, ...alike]);
  const passed = new Set<string>();
  return {
    faultIn: (line) => {
      const stray = Object.keys(line).filter((key) => !expected.has(key));
      if (stray.length === 0) return undefined;
      // What the line has was not mistyped: beside an "id", a "uid" is another thing.
      const missing = known.filter((key) => !Object.hasOwn(line, key));
      for (const key of stray) {
        const meant = closestName(key, missing);
        if (meant !== undefined) return `there is no "${key}" here (did you mean "${meant}"?)`;
        if (passed.size <= MOST_TOLD) passed.add(key);
      }
      return undefined;
    },
    told: () => {
      if (passed.size === 0) return "";
      const names = [...passed].slice(0, MOST_TOLD).map((key) => JSON.stringify(key));
      const others = passed.size > MOST_TOLD ? " and others" : "";
      return `Passed over, as ${called} has no such key: ${names.join(", ")}${others}\n`;
    },
  };
}
