/** scopeCondition: the part of a WHERE clause that keeps a search within its scope. */
import type { SearchScope } from "../archive.ts";
import { digestOf } from "./digest.ts";
import type { Tables } from "./schema.ts";
import { storableText } from "./storable-text.ts";

/** Collects the values of a statement and gives each its place: `value(5)` → `$1`. */
export interface Values {
  readonly list: unknown[];
  readonly value: (value: unknown) => string;
}

export function newValues(): Values {
  const list: unknown[] = [];
  return { list, value: (value) => `$${list.push(value)}` };
}

/** A condition on `messages`, true where the scope leaves everything in. */
export function scopeCondition(tables: Tables, { value }: Values, scope: SearchScope = {}): string {
  const { conversation, roles, tool, since, until } = scope;
  const conditions = ["true"];
  if (conversation !== undefined) {
    const digest = value(digestOf(conversation));
    conditions.push(
      `conversation = (SELECT key FROM ${tables.conversations} WHERE digest = ${digest}::bytea)`,
    );
  }
  if (roles !== undefined) conditions.push(`role = ANY(${value(roles)}::text[])`);
  if (tool !== undefined) conditions.push(`tools ? ${value(storableText(tool))}::text`);
  if (since !== undefined) conditions.push(`at >= ${value(since)}::float8`);
  if (until !== undefined) conditions.push(`at <= ${value(until)}::float8`);
  return conditions.join(" AND ");
}
