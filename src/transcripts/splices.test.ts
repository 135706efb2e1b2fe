import fc from "fast-check";
import { expect, test } from "vitest";
import { elementsAt, findValue, membersAt } from "../json/scan.ts";
import { applySplices, removeElements, removePaths, setValue, splicesBack } from "./splices.ts";

const text = '{ "a": [1, {"b": "x\\"]"} , 3], "c" : {"d":null}, "a": [10, {"b":"y"}] }';

test("[R35] a value is found by its path, strings and repeated keys and all", () => {
  const at = (...path: (string | number)[]) => {
    const found = findValue(text, 0, path);
    return found && text.slice(found.start, found.end);
  };
  expect(at("c", "d")).toBe("null");
  expect(at("a", 1, "b")).toBe('"y"');
  expect(at("a", 7)).toBeUndefined();
  expect(at("c", "nothing")).toBeUndefined();
  expect(at()).toBe(text);
});

test("[R35] lists and objects are taken apart; what is neither has no parts", () => {
  expect(elementsAt("[ ]", 0)).toEqual([]);
  expect(elementsAt("[1, [2,3] ]", 0)).toEqual([
    { start: 1, end: 2 },
    { start: 4, end: 9 },
  ]);
  expect(elementsAt("{}", 0)).toEqual([]);
  expect(membersAt('{"k\\u0041": 1}', 0).map(({ key }) => key)).toEqual(["kA"]);
  expect(membersAt("[]", 0)).toEqual([]);
});

test.for([
  [[0], "[2, 3]"],
  [[1], "[1, 3]"],
  [[2], "[1, 2]"],
  [[0, 1], "[3]"],
  [[1, 2], "[1]"],
  [[0, 2], "[2]"],
  [[0, 1, 2], "[]"],
] as const)("[R35] elements %j leave with their commas", ([removed, left]) => {
  const list = "[1, 2, 3]";
  const splices = removeElements(elementsAt(list, 0), new Set<number>(removed));
  expect(applySplices(list, splices)).toBe(left);
});

test("[R35] members and elements at several paths leave, the rest is untouched", () => {
  const json = '{"keep":1.0,"gone":2,"list":[ {"x":1}, {"y":2} ],"end":[]}';
  const splices = removePaths(json, 0, [["gone"], ["list", 0], ["none", 1]]);
  expect(applySplices(json, splices)).toBe('{"keep":1.0,"list":[ {"y":2} ],"end":[]}');
});

test("[R35] a value is exchanged, or added where there was none", () => {
  expect(applySplices('{"a":{"b":1}}', setValue('{"a":{"b":1}}', 0, ["a", "b"], "2"))).toBe('{"a":{"b":2}}');
  expect(applySplices('{"a":{"b":1}}', setValue('{"a":{"b":1}}', 0, ["a", "c"], "2"))).toBe(
    '{"a":{"b":1,"c":2}}',
  );
  expect(applySplices("{}", setValue("{}", 0, ["c"], "2"))).toBe('{"c":2}');
  expect(setValue("{}", 0, ["x", "y"], "2")).toEqual([]);
});

test("[R35] insertions at one place keep their order, and what lies in a removed range is left out", () => {
  const splices = [
    { start: 3, end: 3, text: "B" },
    { start: 0, end: 2, text: "" },
    { start: 3, end: 3, text: "C" },
    { start: 1, end: 1, text: "never" },
  ];
  expect(applySplices("abcdef", splices)).toBe("cBCdef");
});

test("[R35] whatever splices make of a text, those back make the text of it", () => {
  const splice = fc
    .tuple(fc.nat(30), fc.nat(6), fc.string({ maxLength: 4 }))
    .map(([start, length, text]) => ({ start, end: start + length, text }));
  fc.assert(
    fc.property(
      fc.string({ minLength: 40, maxLength: 60 }),
      fc.array(splice, { maxLength: 8 }),
      (text, splices) => {
        expect(applySplices(applySplices(text, splices), splicesBack(text, splices))).toBe(text);
      },
    ),
    { numRuns: 2000 },
  );
});
