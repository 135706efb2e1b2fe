import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packed from "../../src/salience/binding-weights.json" with { type: "json" };
import { sayThatDataIsAbsent } from "../../test/recordings.ts";
import { textOf } from "../measure/wire-message.ts";
import { dataFolder, readSource, sources } from "../recordings/sources.ts";

const folder = dataFolder();
if (folder === undefined) sayThatDataIsAbsent("the places of the labels");
const linesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const labelled: { source: string; conversation: string; message: number; sentence: string }[] =
  linesOf("labelled.jsonl");
const planted: { language: string; wording: string; sentence: string }[] = linesOf("planted.jsonl");

test("there are a hundred labels in thirty recordings, none twice", () => {
  expect(labelled.length).toBeGreaterThanOrEqual(100);
  expect(new Set(labelled.map(({ conversation }) => conversation)).size).toBeGreaterThanOrEqual(30);
  const places = labelled.map(
    ({ conversation, message, sentence }) => `${conversation} ${message} ${sentence}`,
  );
  expect(new Set(places).size).toBe(labelled.length);
});

test("planted sentences come in ten wordings and other languages, and none shouts", () => {
  expect(new Set(planted.map(({ wording }) => wording)).size).toBeGreaterThanOrEqual(10);
  expect(planted.filter(({ language }) => language !== "en").length).toBeGreaterThanOrEqual(5);
  expect(
    planted.filter(({ sentence }) => /!|\b(?:NEVER|ALWAYS|MUST|NOT|IMPORTANT)\b/.test(sentence)),
  ).toEqual([]);
});

test("what measures was not learned from: no sentence and no conversation, and the weights are those of the sentences", () => {
  const learned: { from: string; sentence: string }[] = linesOf("sentences.jsonl");
  const measured = [...labelled, ...planted, ...linesOf("planted-otherwise.jsonl")].map(
    ({ sentence }) => sentence,
  );
  expect(learned.filter(({ sentence }) => measured.includes(sentence))).toEqual([]);
  const ofMeasured = ({ from }: { from: string }) =>
    labelled.some(({ conversation }) => conversation.startsWith(from.split(" ")[1]!));
  expect(learned.filter((each) => !each.from.startsWith("written ") && ofMeasured(each))).toEqual([]);
  const text = readFileSync(join(import.meta.dirname, "sentences.jsonl"), "utf8");
  expect(packed.data.sha256).toBe(createHash("sha256").update(text).digest("hex"));
});

test.skipIf(folder === undefined)(
  "every label stands in its message to the letter, in a user's words",
  () => {
    const wrong = [...Map.groupBy(labelled, ({ source }) => source)].flatMap(([name, own]) => {
      const recordings = new Map(
        readSource(folder!, sources.find((source) => source.name === name)!).map((each) => [each.id, each]),
      );
      return own.filter(({ conversation, message, sentence }) => {
        const found = recordings.get(conversation)?.messages[message];
        return found?.role !== "user" || !textOf(found).includes(sentence);
      });
    });
    expect(wrong).toEqual([]);
  },
);
