/** checkStored: holds a value that a caller stored and gives back against a table; anything may have happened to it meanwhile. */
import { OptionsError } from "../errors/options-error.ts";
import { isObject } from "./wire-value.ts";

/** What a value must be. */
export type Stored =
  | "text"
  /** A number, 0 or more. */
  | "count"
  | "number"
  | "flag"
  | "anything"
  | { readonly version: number }
  | { readonly oneOf: readonly unknown[] }
  /** A list; of a longer one the last `most`. */
  | { readonly each: Stored; readonly most?: number }
  /** An object of any names; of more the last `most`. */
  | { readonly values: Stored; readonly most?: number }
  | StoredFields
  /** Checked elsewhere. */
  | ((value: unknown) => unknown);

/** An object: its fields, where `?` at the end of a name says that it may be absent or null. Others are left out. */
export interface StoredFields {
  readonly fields: Readonly<Record<string, Stored>>;
}

/** @param place such as `state.ledger`. Throws OptionsError, which names the place that is wrong. */
export function checkStored(place: string, value: unknown, must: Stored): unknown {
  if (typeof must === "function") return must(value);
  if (typeof must === "string") {
    if (KINDS[must].fits(value)) return value;
    throw wrong(place, KINDS[must].expected, value);
  }
  if ("version" in must) {
    if (value === must.version) return value;
    const hint = Number(value) > must.version ? "; a newer one wrote this state" : "";
    throw wrong(place, `${must.version}, the only version this release reads${hint}`, value);
  }
  if ("oneOf" in must) {
    if (must.oneOf.includes(value)) return value;
    throw wrong(place, `one of ${must.oneOf.join(", ")}`, value);
  }
  if ("each" in must) {
    if (!Array.isArray(value)) throw wrong(place, "a list", value);
    const checked = value.map((each: unknown, at) => checkStored(`${place}[${at}]`, each, must.each));
    return checked.slice(-(must.most ?? checked.length));
  }
  if (!isObject(value)) throw wrong(place, "an object", value);
  if ("values" in must) {
    const entries = Object.entries(value).slice(-(must.most ?? Number.POSITIVE_INFINITY));
    return Object.fromEntries(
      entries.map(([name, each]) => [name, checkStored(`${place}.${name}`, each, must.values)]),
    );
  }
  const checked: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(must.fields)) {
    const field = name.replace("?", "");
    // JSON has no `undefined`: an absent field and a null one mean the same.
    if (field === name || (value[field] ?? undefined) !== undefined)
      checked[field] = checkStored(`${place}.${field}`, value[field], kind);
  }
  return checked;
}

const KINDS: Readonly<
  Record<Extract<Stored, string>, { readonly expected: string; readonly fits: (value: unknown) => boolean }>
> = {
  text: { expected: "text", fits: (value) => typeof value === "string" },
  count: { expected: "a number, 0 or more", fits: (value) => Number.isFinite(value) && Number(value) >= 0 },
  number: { expected: "a number", fits: Number.isFinite },
  flag: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  anything: { expected: "given", fits: (value) => value !== undefined },
};

function wrong(place: string, expected: string, found: unknown): OptionsError {
  const shown =
    typeof found === "object" && found !== null ? "an object" : JSON.stringify(found)?.slice(0, 60);
  return new OptionsError(
    place,
    `The compaction state cannot be used: \`${place}\` must be ${expected}; it is ${shown ?? "missing"}. ` +
      "Give back what the last call returned, or leave `state` out to start afresh.",
  );
}
