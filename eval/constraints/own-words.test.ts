import { expect, test } from "vitest";
import { latestAsk, ownWords } from "./own-words.ts";

const user = (content: string) => ({ role: "user", content });

test("blocks that a program puts around a person's words are taken off, and those inside them stay", () => {
  const text =
    "<ide_opened_file>a.ts</ide_opened_file>\nMake <b>this</b> faster.\n<system-reminder>x</system-reminder>";
  expect(ownWords(user(text))).toBe("Make <b>this</b> faster.");
});

test("the latest ask is the newest that a person said", () => {
  const messages = [
    user("Fix it."),
    user("Base directory for this skill: /skills/x"),
    user("<command-name>/exit</command-name>"),
    { role: "tool", content: "Launching skill: pdf" },
    user("Print every page."),
    { role: "assistant", content: "Done." },
  ];
  expect(latestAsk(messages)).toBe("Fix it.");
});
