import { expect, test } from "vitest";
import { noteOf, SHAPE_NOTE } from "./shape-note.ts";

const LINE = "[pith shaped: digest, 84 of 1,912 lines shown; rest: pith:3f9c2a1b]";

test("[R42] a note says what is shown of how much, and by which id the rest is opened", () => {
  expect(SHAPE_NOTE.exec(LINE)?.slice(1)).toEqual(["digest", "84 of 1,912 lines", "rest: ", "pith:3f9c2a1b"]);
  expect(
    SHAPE_NOTE.exec("[pith shaped: log, 1 of 9 lines shown; rest not kept: run the tool again]")?.[3],
  ).toBe("rest not kept: ");
});

test("[R42] a note is found at the end or the start of a text, and nowhere else", () => {
  expect(noteOf(`body\n${LINE}`)).toBe(LINE);
  expect(noteOf(`${LINE}\nbody`)).toBe(LINE);
  expect(noteOf(`${"x\n".repeat(3_000)}${LINE}\n`)).toBe(LINE);
  expect(noteOf(`a\n${LINE}\nb`)).toBeUndefined();
  expect(noteOf("")).toBeUndefined();
});
