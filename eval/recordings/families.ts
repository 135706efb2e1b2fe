/**
 * Families: recordings that are one conversation in several states, or forks of it. They are drawn together, and count
 * as unseen only together: what was seen in one would be tried on its own twin.
 */
import { createHash } from "node:crypto";
import { textOf } from "../measure/wire-message.ts";
import type { Recording } from "./sources.ts";

const longMessage = 200;
const fewestShared = 3;

/** The family of each recording, by its id: the id of the family's first recording. */
export function familiesOf(recordings: readonly Recording[]): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  const firstTeller = new Map<string, string>();
  for (const { id, messages } of recordings) {
    const said = new Set(messages.filter(({ role }) => role === "assistant").map(textOf));
    const shared = new Map<string, number>();
    for (const text of said) {
      const family = families.get(firstTeller.get(text) ?? "");
      if (text.length < longMessage) continue;
      if (family === undefined) firstTeller.set(text, id);
      else shared.set(family, (shared.get(family) ?? 0) + 1);
    }
    const [closest] = [...shared].filter(([, count]) => count >= fewestShared).sort((a, b) => b[1] - a[1]);
    families.set(id, closest?.[0] ?? id);
  }
  return families;
}

/** The sources of which a part is kept apart; the others are as a whole. */
const lookedAt: readonly string[] = ["coding-sessions", "derived-openai"];

/** Families of a source of which every recording is kept apart: two of five, by a hash of the name. */
export function unseenFamilies(source: string, families: ReadonlyMap<string, string>): ReadonlySet<string> {
  const unseen = new Set(families.values());
  if (!lookedAt.includes(source)) return unseen;
  for (const [id, family] of families) if (!isHeldOut(id)) unseen.delete(family);
  return unseen;
}

function isHeldOut(id: string): boolean {
  return createHash("sha1").update(id).digest()[0]! % 5 >= 3;
}
