import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { rankedMessages } from "./digest.ts";
import { fileLinesOf } from "./file-lines.ts";
import { outlineOf } from "./outline.ts";
import { unsaidValues } from "./rank-lines.ts";

const counter = createTokenCounter();

function outline(messages: readonly Message[], maxTokens = 400, alreadySaid = "") {
  const ranked = rankedMessages(messages, counter);
  const files = fileLinesOf(messages, ranked);
  const { specifics, values } = unsaidValues(ranked, alreadySaid);
  return outlineOf({ messages: ranked, specifics, values, files, maxTokens, isTold: () => true });
}

const path = "/app/src/cli/run.go";
const read = (...lines: readonly string[]) =>
  conversation(
    user("Look."),
    assistant("", call("Read", { file_path: path })),
    result(lines.map((line, at) => `  ${at + 1}→\t${line}`).join("\n")),
  ).messages;
const filler = Array.from({ length: 8 }, (_, at) => `// plain words that say nothing at all, part ${at}`);

test("[R36] names that stood near each other stand together, in the order of the file", () => {
  const messages = read(
    "hooksInstalled, err := setupClaudeHook(localDev, forceHooks)",
    ...filler,
    "dirCreated, err := setupEntireDirectory(rootDir)",
  );
  expect(outline(messages)).toEqual(
    new Map([
      [
        path,
        ["hooksInstalled setupClaudeHook localDev forceHooks", "dirCreated setupEntireDirectory rootDir"],
      ],
    ]),
  );
});

test("a name that stood alone is left to its line", () => {
  const messages = read("x := aloneInHere()", ...filler, "first, secondName := thirdName(fourthName)");
  expect([...outline(messages).values()].flat()).toEqual(["secondName thirdName fourthName"]);
});

test("what a call writes is told of its file, what is said elsewhere and what no file holds is not", () => {
  const text = `${"// what follows sets all of it up once more\n".repeat(6)}export const firstName = secondName(thirdName, fourthName);`;
  const { messages } = conversation(
    user("Write."),
    assistant(
      "calledInWords(otherWords, moreWords)",
      call("Write", { file_path: "src/a.ts", content: text }),
    ),
    result("Done with someResult, otherResult, lastResult."),
  );
  const told = [...outline(messages, 400, "thirdName").entries()];
  expect(told).toEqual([["src/a.ts", ["firstName secondName fourthName"]]]);
});

test("numbers and what runs into an escape are no names", () => {
  const messages = read(String.raw`callIt(aName, bName, 20250115, "one\nmadeUpName", cName)`);
  expect([...outline(messages).values()].flat()).toEqual(["callIt aName bName cName"]);
});

test("[R21] names that an earlier hand-off tells are told again of their file, and never as a line", () => {
  const { messages } = conversation(
    user(
      "[SUMMARY]: ## Files touched\n… = /app/src\n…/run.go: edited 2× — hooksInstalled setupHook, localDev forceHooks",
    ),
    assistant("Going on."),
  );
  expect(outline(messages)).toEqual(
    new Map([["/app/src/run.go", ["hooksInstalled setupHook localDev forceHooks"]]]),
  );
});
