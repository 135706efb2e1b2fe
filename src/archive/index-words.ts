/** indexWords: the words of a text as FTS5's tokenizer finds them, so that every archive counts the same ones. */

import { indexedText } from "./indexed-text.ts";
import { stemOf } from "./words.ts";

/** The stems of a text in order, as the index has them. */
export function indexTerms(text: string): readonly string[] {
  return indexWords(indexedText(text)).map(stemOf);
}

/** `"Café-Müller: 3 🙂"` → `["cafe", "muller", "3"]`. */
export function indexWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const run of text.match(WORD) ?? []) {
    const word = NOT_ASCII.test(run) ? [...run].map(foldedCharacter).join("") : run.toLowerCase();
    if (word) words.push(word);
  }
  return words;
}

/** A word that is asked for, and its stem. */
export interface AskedTerm {
  readonly word: string;
  readonly term: string;
}

/** What a list of words looks for in the index: each stem once. */
export function askedTerms(words: readonly string[]): readonly AskedTerm[] {
  const byTerm = new Map<string, AskedTerm>();
  for (const word of words.slice(0, MAX_WORDS).flatMap((each) => indexWords(each.slice(0, MAX_LENGTH)))) {
    const term = stemOf(word);
    if (!byTerm.has(term)) byTerm.set(term, { word, term });
  }
  return [...byTerm.values()].slice(0, MAX_WORDS);
}

/** More words than a question has, and longer ones. */
const MAX_WORDS = 64;
export const MAX_LENGTH = 400;

const NOT_ASCII = /[^\0-\x7f]/;
/** Marks that are left out of a word; all others end it. */
const MARKS = /[\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331]/;

/**
 * The characters that end a word, as FTS5 knows them, from Unicode 6.1: what is newer, such as most emoji, is part of one. Each
 * range by its distance from the end of the one before and its length less one, in base 36.
 */
const SEPARATORS =
  "1.1a b.6 r.5 r.1a 2.6 3 2.2 3 4 o w cr.3 d.d 6.6 2 2.g 6 8.1 2 2.8 2.6 7.3 3 3.1p 6 9 6.1 2 33 3w.7 " +
  "5t.5 16.1 5 2.1i 18.1 c.4 2.l 3.1 18.k b.3 3 2s 2.e 3.6 g.1 2.d 2 2 v.q 2k.a 1n.8 3.3 t.3 2.8 2.2 " +
  "2.4 3.e r.2 3 3q.q 2.3 1j.2 2.h 2.6 b.3 b h.2 1l 2.6 3.1 3.2 a b.1 f.1 7.1 6.2 1l 2.4 5.1 3.2 4 v.1 " +
  "4 c.2 1l 2.7 2.2 2.2 l.1 d.1 g.2 1l 2.6 3.1 3.2 9.1 b.1 d i 1o.4 4.2 2.3 a s.7 7.2 1n.6 2.2 2.3 8.1 " +
  "c.1 s 3.1 1l 2.6 2.2 2.3 8.1 c.1 v.1 1n.6 2.2 2.3 a b.1 m 9.1 1z 5.5 2 2.7 j.2 1p 3.6 5 8.8 b.1 2e " +
  "3.5 2.1 c.5 1g.u l.b 1e.m 6.a 2.z 2.e 2.c 29.j c.5 7.3 5.2 2.2 3.6 4.3 e.b 2 b.5 2k gy.b 14.9 2v " +
  "h9.1 i r.1 27.2 11.2 u.4 s.1 v.1 1t.y 2.3 2 z.e 4b 3b.b 5.b 5 4.1 2z.g 8.1 l.x o.4 3.1 1i.9 2.s 3 " +
  "x.6 2.5 2b.4 1c.g m.y 4.2 v.c 1l.d 9.3 11.j 4.4 1r.1 1t.7 9.o 5 5.2 5o.12 m.3 ce 2.2 c.2 e.2 e.2 e.1 " +
  "2.2s 6.5 b.4 c.4 i.p n.w g.1 2.3 2.1 b 2.2 6.5 2 2 2 5 c.1 5.4 6.3 2 1t.gz d.12 q.a 2a.25 n.e7 2.38 " +
  "v.qg 4.9 b0.5 5.2 8.3 2.1 35 f 2p.26 2.b 1x.p 2.2g d.5x r.b 5.4 4.o a.6 6.1 6.2 2i.3 4 2j 45.1 5.9 " +
  "x.z t.u c.t 9 g.v b.12 g.1q 2.73 535.1r h3l.1i 1k.1 7i.2 2o.f x 29.7 9.m a.1 2w.1 3c 4 5 o.8 b.3 " +
  "1n.3 9.1 1f.g a.1 h.h 7.2 18.9 o.c c x.3 1c.q h.1 22.d d 9.1 f.3 o.2 2 1h 2.2 3.1 6.1 2 t.1 c.6 4.1 " +
  "6l.a 8pf.1kv 5cv b 3t.f al.1 59.1 3.p 7.6 a.y 2.i 2.3 44 2.e b.6 r.5 r.a 3f.6 2.6 b.6 75.2 1h.8 1m.g " +
  "7.b 1h.19 bm 1d w7 5k w 5e.2 2.1 6.3 15.2 5 h.8 13 56.6 xt.2 1i.l 1f.2 1a.h 1r.2 11.d c.3 1p.2 1d.d " +
  "5.3 yr.c 2pl.3 ese.19 h.3 j1q.6t b.12 3.50 z.1x 57.2e ob q w q w q w q w q 4kt.1 7j.17 5.2r d.e 3.d " +
  "3.e 2.e 1d.u 2.1n 5.16 24.s e.16 6.8 8.1 4v.w g.5 2.1x 4.j d.10 2.4 m.g g.1q 2 2.51 2.3 4.1p 3.3 d.n " +
  "44.1x 5.a 1d.1x 1n.37 gwi6 v.2n 3l.6n";

/** Capitals that are newer than FTS5's tables, in hexadecimal: they stay as they are. */
const UNFOLDED =
  "37f 528 52a 52c 52e 13a0-13f5 1c89 1c90-1cba 1cbd-1cbf 2c2f a698 a69a a796 a798 a79a a79c a79e " +
  "a7ab-a7ae a7b0-a7b4 a7b6 a7b8 a7ba a7bc a7be a7c0 a7c2 a7c4-a7c7 a7c9 a7cb-a7cc a7ce a7d0 a7d2 a7d4 " +
  "a7d6 a7d8 a7da a7dc a7f5 104b0-104d3 10570-1057a 1057c-1058a 1058c-10592 10594-10595 10c80-10cb2 " +
  "10d50-10d65 118a0-118bf 16e40-16e5f 16ea0-16eb8 1e900-1e921";

/** Letters that FTS5 folds otherwise than `toLowerCase` does. */
const FOLDED: Readonly<Record<string, string>> = {
  "\u00b5": "μ",
  ſ: "s",
  ẛ: "s",
  ǡ: "ǡ",
  Ǡ: "ǡ",
  ς: "σ",
  ϐ: "β",
  ϑ: "θ",
  ϕ: "φ",
  ϖ: "π",
  ϰ: "κ",
  ϱ: "ρ",
  ϵ: "ε",
  "\u1fbe": "ι",
};

const WORD = new RegExp(`[^\\0${separatorClass()}]+`, "gu");
const unfolded = new RegExp(
  `[${UNFOLDED.replace(/[0-9a-f]+/g, (code) => `\\u{${code}}`).replaceAll(" ", "")}]`,
  "u",
);
const known = new Map<string, string>();

/** An accent goes where an English letter is under it. */
function foldedCharacter(character: string): string {
  let folded = known.get(character);
  if (folded === undefined) {
    folded = foldCharacter(character);
    known.set(character, folded);
  }
  return folded;
}

function foldCharacter(character: string): string {
  if (MARKS.test(character)) return "";
  const special = FOLDED[character];
  if (special !== undefined) return special;
  const [base = ""] = character.normalize("NFD");
  if (/[A-Za-z]/.test(base)) return base.toLowerCase();
  const lower = character.toLowerCase();
  return [...lower].length > 1 || unfolded.test(character) ? character : lower;
}

function separatorClass(): string {
  let last = 0;
  return SEPARATORS.split(" ")
    .map((range) => {
      const [distance, length = "0"] = range.split(".");
      const from = last + Number.parseInt(distance!, 36);
      last = from + Number.parseInt(length, 36);
      return `\\u{${from.toString(16)}}-\\u{${last.toString(16)}}`;
    })
    .join("");
}
