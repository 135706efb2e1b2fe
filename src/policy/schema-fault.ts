/** schemaFault: the first thing that is wrong with a value by its schema, in words for whoever wrote the value. */
import type { z } from "zod";
import { closestName } from "./closest-name.ts";

/**
 * Without a full stop at the end.
 *
 *     schemaFault(error, { id: 1, windw: 5 }, ["id", "window"]) → 'there is no "windw" here (did you mean "window"?)'
 *
 * @param known the keys that an object there may have
 */
export function schemaFault({ issues }: z.ZodError, value: unknown, known: readonly string[]): string {
  const issue = issues[0]!;
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const name = issue.keys[0]!;
    const close = closestName(name, known);
    const hint = close === undefined ? `the keys are ${known.join(", ")}` : `did you mean "${close}"?`;
    return `there is no "${name}" ${place === "" ? "here" : `in ${place}`} (${hint})`;
  }
  if (place === "") return `give an object with ${known.join(", ")}`;
  return valueAt(value, issue.path) === undefined
    ? `${place} is missing`
    : `${place} must be ${wanted(issue)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, key) => (Object(inside) as Record<PropertyKey, unknown>)[key], value);
}

const KINDS: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "an object",
};

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "too_small":
      if (issue.origin === "string") return "a text that is not empty";
      return `${issue.inclusive ? "at least" : "above"} ${issue.minimum}`;
    case "too_big":
      return `${issue.inclusive ? "at most" : "below"} ${issue.maximum}`;
    case "invalid_union": {
      const kinds = issue.errors.flatMap(([first]) => (first ? [wanted(first)] : []));
      return [...new Set(kinds)].join(" or ");
    }
    default:
      return issue.message;
  }
}
