/** Secrets that are known by a sign in their middle, whole or broken over lines. */
import type { FoundSecret } from "./found-secret.ts";
import { withoutBreaks } from "./line-breaks.ts";
import { type SecretKind, signedKinds } from "./secret-kinds.ts";
import { secretOf } from "./shaped-secrets.ts";

/** How far a secret reaches before its sign and after it. */
const BEFORE_SIGN = 100;
const AFTER_SIGN = 300;

/** Those that are known by a sign in their middle. */
export function findSigned(text: string): readonly FoundSecret[] {
  return signedKinds.flatMap((secretKind) => findAroundSign(secretKind, text));
}

function findAroundSign(secretKind: SecretKind, text: string): readonly FoundSecret[] {
  const { sign = "" } = secretKind;
  const found: FoundSecret[] = [];
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length)) {
    const start = Math.max(0, at - BEFORE_SIGN, found.at(-1)?.end ?? 0);
    const near = text.slice(start, at + AFTER_SIGN);
    const { joined, places } = withoutBreaks(near);
    const secret = firstOf(secretKind, near) ?? placed(firstOf(secretKind, joined), places);
    if (secret) found.push({ ...secret, start: start + secret.start, end: start + secret.end });
  }
  return found;
}

function firstOf(secretKind: SecretKind, near: string): FoundSecret | undefined {
  secretKind.pattern.lastIndex = 0;
  const match = secretKind.pattern.exec(near);
  return match ? secretOf(secretKind, match) : undefined;
}

function placed(secret: FoundSecret | undefined, places: readonly number[]): FoundSecret | undefined {
  return secret && { ...secret, start: places[secret.start]!, end: places[secret.end - 1]! + 1 };
}
