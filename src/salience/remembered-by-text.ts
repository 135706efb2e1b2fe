/** What was read of a text is known when the same text comes again: a person's words are read by the rules, the asks and the report. */

import { copyOfText } from "../json/copy-of-text.ts";

/** Characters of text that one of the two generations may hold. */
const MOST_CHARACTERS = 300_000;

export function rememberedByText<Read>(read: (text: string) => Read): (text: string) => Read {
  let young = new Map<string, Read>();
  let old = new Map<string, Read>();
  let characters = 0;
  return (text) => {
    let known = young.get(text);
    if (known !== undefined) return known;
    if (text.length > MOST_CHARACTERS) return read(text);
    // What was read may be cut out of the text, and the text out of a longer one.
    const own = copyOfText(text);
    known = old.get(text) ?? read(own);
    if (characters + text.length > MOST_CHARACTERS) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(own, known);
    characters += text.length;
    return known;
  };
}
