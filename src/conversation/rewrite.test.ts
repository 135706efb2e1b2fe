import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { readConversation } from "../providers/detect.ts";
import { placesAfter, rewriteOf, rewritten, takenBack } from "./rewrite.ts";

const turn = (at: number) => [
  { role: "user", content: `Read file ${at}.` },
  { role: "assistant", content: `Port ${7000 + at} is set there. `.repeat(60) },
];
const body = [
  { role: "system", content: "You are careful." },
  ...Array.from({ length: 12 }, (_, at) => turn(at)).flat(),
  { role: "user", content: "And now?" },
];
const before = readConversation(body).messages;
const compacted = await createCompactor({ target: "50%" }).compact(body, { target: "30%" });

test("a result says of each of its messages which one it is, was made of, or that it is new", () => {
  const { rewrite, conversation } = compacted;
  expect(rewrite.length).toBeLessThan(before.length);
  for (const [at, { from, written }] of rewrite.entries()) {
    const message = conversation.messages[at]!;
    if (written) expect(written).toBe(message);
    else expect(before[from]!.raw!.value).toBe(message.raw!.value);
  }
  const kinds = rewrite.map(({ from, written }) => (!written ? "stayed" : from < 0 ? "new" : "changed"));
  expect(new Set(kinds)).toEqual(new Set(["stayed", "changed"]));
});

test("carried out on what came in, it gives the messages of the result", () => {
  const { rewrite, conversation } = compacted;
  expect(rewritten(before, rewrite)).toEqual(conversation.messages);
});

test("read backwards, it says where a message is now, and puts back what came in before what came since", () => {
  const { rewrite } = compacted;
  const places = placesAfter(rewrite);
  expect(places.get(0)).toBe(0);
  expect(places.get(before.length - 1)).toBe(rewrite.length - 1);
  expect(places.get(5)).toBeUndefined();
  const now = [...rewritten(before, rewrite), ...before.slice(0, 1)];
  expect(takenBack(before, rewrite, now)).toEqual([...before, before[0]]);
});

test("where nothing was done, everything stayed", async () => {
  const { rewrite } = await createCompactor({ target: "50%" }).compact(body, { target: "100%" });
  expect(rewrite).toEqual(rewriteOf(before));
  expect(rewrite.every(({ from, written }, at) => from === at && !written)).toBe(true);
});
