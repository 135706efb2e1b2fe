import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { rankedMessages } from "./digest.ts";
import { gatherSpecifics } from "./gather-specifics.ts";
import { FEATURES, lastPlace, writeFeatures } from "./specific-features.ts";

const { messages } = conversation(
  user("Look at src/a.ts, please."),
  assistant("Reading src/a.ts.", call("read", { path: "src/a.ts" })),
  result('const "MAX_RETRIES": 5;\nparseArgs(src/a.ts)'),
);
const ranked = rankedMessages(messages, createTokenCounter());
const specifics = gatherSpecifics(ranked);

/** The features of the specific that is written so. */
function featuresOf(name: string): Readonly<Record<string, number>> {
  for (let id = 0; id < specifics.table.size(); id++) {
    const place = lastPlace(specifics, ranked, id);
    if (ranked[place.message]!.index.text.slice(place.start, place.end) !== name) continue;
    const row = new Float32Array(FEATURES.length);
    writeFeatures(row, specifics, ranked, id);
    return Object.fromEntries(FEATURES.map((feature, at) => [feature, row[at]!]));
  }
  throw new Error(`no ${name}`);
}

test("each specific is known by who said it, in how many messages, and when", () => {
  const path = featuresOf("src/a.ts");
  expect(path).toMatchObject({ chars: 8, slashes: 1, dots: 1, messages: 3, lines: 4, "first said by": 2 });
  expect(path).toMatchObject({ "messages by words": 1, "messages by calls": 1, "messages by users": 1 });
  expect(path).toMatchObject({ age: 0, "age of the first mention": expect.closeTo(2 / 3) });
});

test("each specific is known by how it is written and what stands beside it", () => {
  expect(featuresOf("MAX_RETRIES")).toMatchObject({ underscores: 1, quoted: 1, key: 1, called: 0, humps: 0 });
  expect(featuresOf("parseArgs")).toMatchObject({ called: 1, humps: 1, quoted: 0, "age in words": 1 });
});
