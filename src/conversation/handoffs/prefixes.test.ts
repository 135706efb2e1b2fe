import { expect, test } from "vitest";
import {
  END_MARKER,
  findHandoff,
  LEGACY_SUMMARY_PREFIX,
  type PrefixName,
  SUMMARY_PREFIX,
  withPrefix,
} from "./prefixes.ts";

const names: readonly PrefixName[] = ["pith", "factor3", "hermes", "synthorg"];

test("[F41] the summary prefix is the source's, word for word", () => {
  expect(SUMMARY_PREFIX).toBe(
    "[CONTEXT COMPACTION] An earlier part of this conversation was summarized to preserve context space. Below is the summary — use it to build on the work already done and avoid duplicating effort:",
  );
});

test("[F42] the legacy prefix is the source's, word for word, and is still recognised", () => {
  expect(LEGACY_SUMMARY_PREFIX).toBe("[CONTEXT SUMMARY]:");
  expect(findHandoff("[CONTEXT SUMMARY]: old work")?.body).toBe("old work");
});

test.each([
  ["[CONTEXT SUMMARY]:  x"],
  ["x"],
  [" x "],
  ["\n\t[CONTEXT SUMMARY]:\n\nx\n"],
  [`${SUMMARY_PREFIX}\nx`],
  ["[SUMMARY]: x"],
])("[F43] %j normalises to the prefix, a newline and x", (text) => {
  expect(withPrefix(text, "hermes")).toBe(`${SUMMARY_PREFIX}\nx`);
});

test("[F43] null, undefined and nothing normalise to the prefix and a newline", () => {
  for (const text of [null, undefined, "", "  \n", "[CONTEXT SUMMARY]:"]) {
    expect(withPrefix(text, "hermes")).toBe(`${SUMMARY_PREFIX}\n`);
  }
});

test("[F43] a legacy prefix that stands inside the text is left there", () => {
  expect(withPrefix("see [CONTEXT SUMMARY]: x", "hermes")).toBe(
    `${SUMMARY_PREFIX}\nsee [CONTEXT SUMMARY]: x`,
  );
});

test("[F43] putting a prefix on twice gives what putting it on once gives", () => {
  for (const name of names) {
    const once = withPrefix("[Archived 3 messages. Summary of prior work: x]", name);
    expect(withPrefix(once, name)).toBe(once);
  }
});

test("[F27] the factor3 prefix stands on the same line as its summary", () => {
  expect(withPrefix("x", "factor3")).toBe("[SUMMARY]: x");
});

test("[R9] our own prefix speaks of the past", () => {
  expect(withPrefix("x", "pith")).toBe("[Pith hand-off] Past reference:\nx");
});

test("[R21] a hand-off of any system is found again, and what the user said after it is told apart", () => {
  for (const name of names) {
    const body = "[Archived 3 messages. Summary of prior work: x]\n## Progress\ny";
    const framed = `${withPrefix(body, name)}\n${END_MARKER}`;
    expect(findHandoff(framed)).toEqual({ framed, body, rest: "" });
    expect(findHandoff(`\ufeff \n${framed}\n\nNow go on.\n`)).toEqual({ framed, body, rest: "Now go on." });
  }
});

test("a hand-off without an end marker goes to the end of its text", () => {
  expect(findHandoff("[SUMMARY]: all of it\nand this ")).toMatchObject({
    body: "all of it\nand this",
    rest: "",
  });
});

test("an empty hand-off is one", () => {
  expect(findHandoff(`${withPrefix("", "pith")}\n${END_MARKER}`)).toMatchObject({ body: "", rest: "" });
  expect(findHandoff("[SUMMARY]:")).toMatchObject({ body: "", rest: "" });
});

test.each([
  ["[Archived mails] must never be deleted."],
  ["[Archived 12 mails] must never be deleted."],
  ["What does [SUMMARY]: mean?"],
  [`Why do you print ${SUMMARY_PREFIX} at me?`],
  ["[Pith hand-off] is what I saw."],
  [END_MARKER],
  [""],
])("a user's words are not taken for a hand-off: %j", (text) => {
  expect(findHandoff(text)).toBeUndefined();
});

test("[R9] an end marker quoted within a line does not end the hand-off", () => {
  const quoting = `- Never print \`${END_MARKER}\` anywhere.`;
  const found = findHandoff(`[SUMMARY]: \n## Constraints\n${quoting}\n${END_MARKER}\nGo.`);
  expect(found).toMatchObject({ body: `## Constraints\n${quoting}`, rest: "Go." });
});
