/** redactSecrets: masks what must never reach a model, an archive or a log (R46). */
import { type FoundSecret, findAssigned } from "./assigned-secrets.ts";
import { anyOpening, secretKinds } from "./secret-kinds.ts";
import { isVaried } from "./varied.ts";

export type { FoundSecret } from "./assigned-secrets.ts";

export interface Redacted {
  readonly text: string;
  /** What was masked, in order, where it stood in the text that was given. */
  readonly found: readonly FoundSecret[];
}

/**
 * `redactSecrets("key ghp_…")` → text `"key [redacted: github]"`. Linear in the text; masking what is masked changes nothing.
 */
export function redactSecrets(text: string): Redacted {
  const found = findSecrets(text);
  return { text: replace(text, found, ({ kind }) => `[redacted: ${kind}]`), found };
}

/** A secret that touches another may show only when that one is gone, so it is looked again until nothing is left. */
function findSecrets(text: string): readonly FoundSecret[] {
  let found: readonly FoundSecret[] = [];
  let left = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const more = [...findShaped(left), ...findAssigned(left)];
    if (more.length === 0) break;
    found = withoutOverlaps([...found, ...more]);
    // A line end for each character: places stay what they are, and no shape reaches across.
    left = replace(text, found, ({ start, end }) => "\n".repeat(end - start));
  }
  return found;
}

/** Chains of touching secrets are short; a text made to be a long one costs no more than this. */
const MOST_ROUNDS = 8;

function replace(
  text: string,
  found: readonly FoundSecret[],
  replacement: (secret: FoundSecret) => string,
): string {
  if (found.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const secret of found) {
    pieces.push(text.slice(from, secret.start), replacement(secret));
    from = secret.end;
  }
  return pieces.join("") + text.slice(from);
}

function findShaped(text: string): readonly FoundSecret[] {
  if (!anyOpening.test(text)) return [];
  const found: FoundSecret[] = [];
  for (const { kind, pattern, varied } of secretKinds) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? match[0];
      if (varied && !isVaried(secret)) continue;
      // Where a group is masked, it closes the match.
      const end = match.index + match[0].length;
      found.push({ kind, start: end - secret.length, end });
    }
  }
  return found;
}

/** Of those that overlap one is left, as wide as all of them; it is named after the first found: the more telling table. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found.toSorted((one, other) => one.start - other.start);
  const kept: FoundSecret[] = [];
  for (const secret of sorted) {
    const last = kept.at(-1);
    if (last === undefined || secret.start >= last.end) kept.push(secret);
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
  }
  return kept;
}
