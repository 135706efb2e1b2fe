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

/** The keys of a tenant's conversations. @param tenant where the statement has its name */
export function ofTenant(tables: Tables, tenant: string): string {
  return `SELECT key FROM ${tables.conversations} WHERE starts_with(name, ${tenant}::text || '/')`;
}

/** A condition on `messages`, true where the scope leaves everything in. */
export function scopeCondition(tables: Tables, { value }: Values, scope: SearchScope = {}): string {
  const { conversation, tenant, without = [], roles, tool, since, until } = scope;
  const conditions = ["true"];
  if (conversation !== undefined) {
    const digest = value(digestOf(conversation));
    conditions.push(
      `conversation = (SELECT key FROM ${tables.conversations} WHERE digest = ${digest}::bytea)`,
    );
  }
  if (tenant !== undefined) conditions.push(`conversation IN (${ofTenant(tables, value(tenant))})`);
  if (without.length > 0) conditions.push(`item <> ALL(${value(without)}::text[])`);
  if (roles !== undefined) conditions.push(`role = ANY(${value(roles)}::text[])`);
  if (tool !== undefined) conditions.push(`tools ? ${value(storableText(tool))}::text`);
  if (since !== undefined) conditions.push(`at >= ${value(since)}::float8`);
  if (until !== undefined) conditions.push(`at <= ${value(until)}::float8`);
  return conditions.join(" AND ");
}
