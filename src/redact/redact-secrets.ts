/** redactSecrets: masks what must never reach a model, an archive or a log (R46). */
import { findAssigned, nameStarts } from "./assigned-secrets.ts";
import { findInBase64 } from "./base64-secrets.ts";
import { type FoundSecret, foundBoth, maskFound, withoutOverlaps } from "./found-secret.ts";
import { createLeadTable, leadsIn } from "./leads.ts";
import { findLogins, loginStarts } from "./login-secrets.ts";
import type { MaskedText } from "./masked-text.ts";
import { findPercentEncoded } from "./percent-secrets.ts";
import { blockStarts, findPrivateKeys } from "./private-keys.ts";
import { searchable } from "./searchable.ts";
import { openingStarts, signStarts } from "./secret-kinds.ts";
import { findShaped } from "./shaped-secrets.ts";
import { findSigned } from "./signed-secrets.ts";
import { findUnknownTokens } from "./unknown-tokens.ts";
import { findInUrls } from "./url-secrets.ts";
import { isVaried } from "./varied.ts";

export type { FoundSecret } from "./found-secret.ts";

export interface Redacted {
  readonly text: MaskedText;
  /** What was masked, in order, where it was in the text that was given. */
  readonly found: readonly FoundSecret[];
}

/**
 * `redactSecrets("key ghp_…")` → text `"key [redacted: github]"`. Linear in the text; masking what is masked changes nothing.
 */
export function redactSecrets(text: string): Redacted {
  const found = findSecrets(text);
  return { text: maskFound(text, found), found };
}

/** Chains of touching secrets are short; a text made to be a long one costs no more than this. */
const MOST_ROUNDS = 12;
/** Encodings inside encodings are followed this far. */
const MOST_DEPTH = 3;

/** Nothing shorter holds a name and a password. */
const SHORTEST_TEXT = 8;

/**
 * A secret that touches another may show only when that one is gone. So each round looks at the text as it is masked
 * so far, until nothing is left: what comes out is what the same search finds nothing in.
 */
export function findSecrets(text: string, depth = 0): readonly FoundSecret[] {
  let found: readonly FoundSecret[] = [];
  if (text.length < SHORTEST_TEXT || isWord(text)) return found;
  let masked: string = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const more = withoutOverlaps(findOnce(searchable(masked), depth));
    if (more.length === 0) break;
    found = foundBoth(found, more);
    masked = maskFound(text, found);
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
  const deeper = (decoded: string): readonly FoundSecret[] => findSecrets(decoded, depth + 1);
  const isDeepest = depth >= MOST_DEPTH;
  // In this order: of two that begin in one place, the first gives its name.
  return [
    maySign("block") ? findPrivateKeys(text) : NONE,
    maySign("shape") ? findSigned(text) : NONE,
    openings.length > 0 || varied.length > 0 ? findShaped(text, openings, varied) : NONE,
    names.length > 0 ? findAssigned(text, names) : NONE,
    findInUrls(text),
    findLogins(text, maySign("login")),
    varied.length > 0 ? findUnknownTokens(text, varied) : NONE,
    runs.length > 0 && !isDeepest ? findInBase64(text, runs, deeper) : NONE,
    isDeepest ? NONE : findPercentEncoded(text, deeper),
  ].flat();
}

const NONE: readonly FoundSecret[] = [];
const MOST_WORD_CHARS = 40;

/** One word of letters, as most strings of a message are: roles, types and names of fields. */
function isWord(text: string): boolean {
  if (text.length > MOST_WORD_CHARS) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < SMALL_A || code > SMALL_Z) && code !== UNDERSCORE) return false;
  }
  return true;
}

const SMALL_A = "a".charCodeAt(0);
const SMALL_Z = "z".charCodeAt(0);
const UNDERSCORE = "_".charCodeAt(0);
