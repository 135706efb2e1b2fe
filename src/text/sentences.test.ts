import { expect, test } from "vitest";
import { markEnd, splitSentences } from "./sentences.ts";

const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

test("[F4] ends sentences at full stops, exclamation and question marks before white space", () => {
  expect(sentencesOf("One. Two! Three? Four")).toEqual(["One.", "Two!", "Three?", "Four"]);
  expect(sentencesOf("fix the bug. then run it.")).toEqual(["fix the bug.", "then run it."]);
});

test.each([
  ["e.g. and i.e.", "We use e.g. Redis and i.e. caches. Done.", 2],
  ["titles", "Dr. Smith met Mr. Jones. They left.", 2],
  ["file names and domains", "See file.txt for it. Then open example.com now.", 2],
  ["decimals", "Pi is 3.14. Euler is 2.71.", 2],
  ["decimals without a nought", "Set x = 0.5. Keep y = .25. Ok.", 3],
  ["versions", "Version v2.0.1 is out. Upgrade to 3.0.", 2],
  ["addresses", "Go to https://a.b/c.d?x=1. Then stop.", 2],
  ["paths", "Edit src/a.b/c.ts. Run it.", 2],
  ["an ellipsis that goes on", "Wait... what happened? Nothing.", 2],
  ["an ellipsis that ends", "…and so on. Next… Then more.", 3],
  ["initials", "J. R. R. Tolkien wrote it. Yes.", 2],
  ["a letter that ends a sentence", "Take plan B. Then plan C.", 2],
  ["a quote that ends a sentence", 'He said "Stop." Then he left.', 2],
  ["a quote that does not", 'He asked "why?" and left.', 1],
  ["figures in brackets", "(See Fig. 3 below.) Next one.", 2],
  ["a country in a name", "The U.S. Army came. It left.", 2],
  ["a country at the end", "I live in the U.S. The weather is fine.", 2],
  ["etc. at the end", "Items: a, b, etc. Then more.", 2],
  ["etc. in the middle", "Use apples, pears, etc. in the pie.", 1],
  ["No. before a number and no as a word", "Contact No. 5 is alive. No. That is wrong.", 3],
  ["Chinese", "这是第一句。这是第二句！第三句？", 3],
  ["Japanese brackets", "彼は「はい。」と言った。次。", 3],
  ["inline code", 'Run `git add . && git commit -m "a. b"` now. Good.', 2],
  ["a stop that is a word", "Run git add . and commit. Good.", 2],
  ["approx. and vs.", "It costs approx. 5 EUR vs. 6 EUR. Fine.", 2],
  ["times of day", "Meet at 5 p.m. on Monday. Bye.", 2],
  ["several marks", "Really?! Yes!! OK.", 3],
  ["names with a dot", "Node.js is fast. ASP.NET too.", 2],
  ["emphasis", "**Bold.** Next *it.* End.", 3],
  ["degrees", "He has a Ph.D. in maths. She too.", 2],
  ["companies", "Acme Inc. announced it. Great.", 2],
  ["German abbreviations", "Das ist z.B. gut. Ja.", 2],
  ["French spacing", "Quoi ? Rien !", 2],
  ["places in files", "It failed: error in main.go:12. Retry.", 2],
  ["brackets after the stop", "The end (really). Ok [1]. Yes", 3],
  ["numbered lists", "1. First item\n2. Second item", 2],
])("[F18] is right about %s", (_, text, count) => {
  expect(sentencesOf(text)).toHaveLength(count);
});

test("ends a sentence at the end of a line, an item or a paragraph", () => {
  expect(sentencesOf("- one\n- two\n\npara\r\nline")).toEqual(["- one", "- two", "para", "line"]);
});

test.each(["\n", "\r\n"])("joins lines that an editor wrapped (%j)", (lineEnd) => {
  const first = "This line is long enough to have been wrapped by an editor that";
  const text = `${first}${lineEnd}breaks lines. End.`;
  expect(sentencesOf(text)).toEqual([`${first}${lineEnd}breaks lines.`, "End."]);
});

test("does not join lines for ever", () => {
  const line = "never change the thing that stands in this line, whatever the others say";
  expect(sentencesOf(`${line}\n`.repeat(40)).length).toBeGreaterThan(4);
});

test("leaves only white space between sentences", () => {
  const text = "\uFEFF A b. C d!\n\n\t- e\r\n  f?  \n";
  let rest = text;
  for (const sentence of sentencesOf(text)) rest = rest.replace(sentence, "");
  expect(rest.trim()).toBe("");
  expect(sentencesOf("")).toEqual([]);
  expect(sentencesOf(" \n ")).toEqual([]);
});

test("knows where the mark of a line ends", () => {
  expect("- [ ] task".slice(markEnd("- [ ] task", 0))).toBe("task");
  expect("> 12) x".slice(markEnd("> 12) x", 0))).toBe("x");
  expect("## Title".slice(markEnd("## Title", 0))).toBe("Title");
  expect("plain".slice(markEnd("plain", 0))).toBe("plain");
});

test.each(["a", " ", "\n", ".", ". ", "a. ", "`", "` ", "`\n", "漢", "。", '"', '."', "-", "> ", "\r"])(
  "gets through a megabyte of %j",
  (piece) => {
    const text = piece.repeat(1e6 / piece.length);
    expect(splitSentences(text).every(({ start, end }) => end > start)).toBe(true);
  },
);
