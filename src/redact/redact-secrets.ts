/** redactSecrets: masks what must never reach a model, an archive or a log (R46). */
import { findAssigned, nameStarts } from "./assigned-secrets.ts";
import { findInBase64, findPercentEncoded } from "./encoded-secrets.ts";
import { type FoundSecret, foundBoth, maskOf, replaceFound, withoutOverlaps } from "./found-secret.ts";
import { createLeadTable, leadsIn } from "./leads.ts";
import { findLogins, loginStarts } from "./login-secrets.ts";
import { blockStarts, findPrivateKeys } from "./private-keys.ts";
import { searchable } from "./searchable.ts";
import { openingStarts, signStarts } from "./secret-kinds.ts";
import { findShaped, findSigned } from "./shaped-secrets.ts";
import { findUnknownTokens } from "./unknown-tokens.ts";
import { findInUrls } from "./url-secrets.ts";
import { isVaried } from "./varied.ts";

export type { FoundSecret } from "./found-secret.ts";

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
  return { text: replaceFound(text, found, ({ kind }) => maskOf(kind)), found };
}

/** Chains of touching secrets are short; a text made to be a long one costs no more than this. */
const MOST_ROUNDS = 12;
/** Encodings inside encodings are followed this far. */
const MOST_DEPTH = 3;

/** Nothing shorter holds a name and a password; most strings of a message are roles, types and names. */
const SHORTEST_TEXT = 8;

/**
 * A secret that touches another may show only when that one is gone. So each round looks at the text as it is masked
 * so far, until nothing is left: what comes out is what the same search finds nothing in.
 */
export function findSecrets(text: string, depth = 0): readonly FoundSecret[] {
  let found: readonly FoundSecret[] = [];
  if (text.length < SHORTEST_TEXT) return found;
  let masked = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const more = withoutOverlaps(findOnce(searchable(masked), depth));
    if (more.length === 0) break;
    found = foundBoth(found, more);
    masked = replaceFound(text, found, ({ kind }) => maskOf(kind));
  }
  return found;
}

/** No run that is shorter holds a token, or base64 of one. */
const SHORTEST_RUN = 16;
const leadTable = createLeadTable({
  opening: openingStarts,
  name: nameStarts,
  shape: signStarts,
  block: blockStarts,
  login: loginStarts,
});

function findOnce(text: string, depth: number): readonly FoundSecret[] {
  const { openings, names, runs, maySign } = leadsIn(text, leadTable, SHORTEST_RUN);
  const varied = runs.filter(({ start, end }) => isVaried(text, start, end));
  const plain = [
    ...(maySign("block") ? findPrivateKeys(text) : []),
    ...(maySign("shape") ? findSigned(text) : []),
    ...findShaped(text, openings, varied),
    ...findAssigned(text, names),
    ...findInUrls(text),
    ...findLogins(text, maySign("login")),
    ...findUnknownTokens(text, varied),
  ];
  if (depth >= MOST_DEPTH) return plain;
  const deeper = (decoded: string): readonly FoundSecret[] => findSecrets(decoded, depth + 1);
  return [...plain, ...findInBase64(text, runs, deeper), ...findPercentEncoded(text, deeper)];
}
