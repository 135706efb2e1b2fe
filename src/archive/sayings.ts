/** Sayings: whether two messages of an archive say the same, although one has a cache mark or another system prompt. */
import { canonicalText } from "../json/canonical-text.ts";
import { isObject, parsedJson } from "../json/wire-value.ts";
import type { Archive, ArchiveItem } from "./archive.ts";

export interface Sayings {
  /** Has them at hand for what follows. */
  readonly read: (ids: readonly string[]) => Promise<void>;
  /** Undefined where it was not read, or is not there. */
  readonly contentOf: (id: string) => string | undefined;
  /** The line without the system prompts that it begins with: these change, and the conversation stays the same. */
  readonly withoutSystem: (line: readonly string[]) => Promise<readonly string[]>;
  /** Of two that were read. What was erased says nothing, and so not the same. */
  readonly isSame: (one: string, other: string) => boolean;
}

/** @param given items that need not be read */
export function createSayings(archive: Archive, given: ReadonlyMap<string, ArchiveItem>): Sayings {
  const contents = new Map([...given].map(([id, { content }]) => [id, content]));
  const canonical = new Map<string, string>();

  const read = async (ids: readonly string[]): Promise<void> => {
    const missing = [...new Set(ids)].filter((id) => !contents.has(id));
    if (missing.length === 0) return;
    const items = await (archive.getMany?.(missing) ?? Promise.all(missing.map(archive.get)));
    for (const [at, id] of missing.entries()) contents.set(id, items[at]?.content ?? "");
  };
  const canonicalOf = (id: string): string => {
    const text = canonical.get(id) ?? canonicalMessage(contents.get(id) ?? "");
    canonical.set(id, text);
    return text;
  };

  return {
    read,
    contentOf: (id) => contents.get(id),
    withoutSystem: async (line) => {
      for (const [at, id] of line.entries()) {
        await read([id]);
        if (!isSystem(contents.get(id) ?? "")) return line.slice(at);
      }
      return [];
    },
    isSame: (one, other) => Boolean(contents.get(one)) && canonicalOf(one) === canonicalOf(other),
  };
}

/** A message that takes several elements of its list has commas between them. */
function canonicalMessage(content: string): string {
  const value = parsedJson(content) ?? parsedJson(`[${content}]`);
  return value === undefined ? content : canonicalText(value);
}

/** Beside its messages a request has its system prompt as a text, or as a list of blocks. */
function isSystem(content: string): boolean {
  const value = parsedJson(content);
  if (typeof value === "string" || Array.isArray(value)) return true;
  return isObject(value) && (value.role === "system" || value.role === "developer");
}
