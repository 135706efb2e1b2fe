import { expect, test } from "vitest";
import packed from "./binding-weights.json" with { type: "json" };
import { oddsOf, readWeights } from "./binding-weights.ts";

test("the shipped weights are small, and say what they were learned from and how well", () => {
  expect(JSON.stringify(packed).length).toBeLessThan(20_000);
  expect(packed.data.sentences).toBeGreaterThan(2_000);
  expect(packed.score.binds.recall).toBeGreaterThan(0.8);
  expect(packed.score.asks.recall).toBeGreaterThan(0.8);
});

test("weights that are damaged, of another version or made for other features are refused", () => {
  const damaged = `${packed.weights.slice(0, 40)}AAAA${packed.weights.slice(44)}`;
  expect(() => readWeights({ ...packed, weights: damaged })).toThrow("checksum");
  expect(() => readWeights({ ...packed, weights: packed.weights.slice(4) })).toThrow("checksum");
  expect(() => readWeights({ ...packed, version: 2 })).toThrow("version 2");
  const probe = { ...packed.probe, sentence: "Another sentence." };
  expect(() => readWeights({ ...packed, probe })).toThrow("other features");
});

test("what lays something down has better odds to bind than what tells, and neither case nor numbers count", () => {
  for (const [rule, told] of [
    ["Never touch prod.yaml.", "I touched prod.yaml."],
    ["Die Namen bleiben, wie sie sind.", "Gestern war es noch gut."],
    ["不要修改配置。", "谢谢，非常好。"],
  ] as const)
    expect(oddsOf(rule).binds).toBeGreaterThan(oddsOf(told).binds + 1);
  expect(oddsOf("At most 3 retries")).toEqual(oddsOf("AT MOST 12 retries"));
});
