/** storableText: any string as one that PostgreSQL can keep in a text column, and back again, exactly. */

/** Stands around the code of each character that had to go, and so cannot stay itself. */
const SUBSTITUTE = "\u001a";
/** What a text column cannot hold: NUL, and halves of surrogate pairs. */
const unstorable = new RegExp(`[\\0${SUBSTITUTE}\\p{Surrogate}]`, "gu");
const replaced = new RegExp(`${SUBSTITUTE}([0-9a-f]+)${SUBSTITUTE}`, "g");

/** `"a\0b"` → `"a␚0␚b"` (␚ is U+001A). Nearly every text comes out as it went in. */
export function storableText(text: string): string {
  return text.replace(
    unstorable,
    (character) => SUBSTITUTE + character.charCodeAt(0).toString(16) + SUBSTITUTE,
  );
}

export function originalText(stored: string): string {
  if (!stored.includes(SUBSTITUTE)) return stored;
  return stored.replace(replaced, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
