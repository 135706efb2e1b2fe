/** Secrets of many kinds, planted where conversations hold them, are gone after masking; without masking all are found. */
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, test } from "vitest";
import { maskJson } from "../src/redact/mask-json.ts";
import { plantedSecrets } from "./planted-secrets.ts";
import { places, traces } from "./planted-secrets-places.ts";

const planted = ["one", "two", "three"].flatMap(plantedSecrets);

test.each(places)("[R46] no planted secret is found after masking in $name", ({ plant, mask }) => {
  expect(planted.length).toBeGreaterThan(90);
  for (const one of planted) {
    const source = plant(one);
    expect(traces(one, source), `${one.kind} is planted`).not.toEqual([]);
    const { text, masked } = mask(source);
    expect(traces(one, text), `${one.kind} in ${text}`).toEqual([]);
    expect(masked.length).toBeGreaterThan(0);
    expect(mask(text)).toEqual({ text, masked: [] });
  }
});

test("masked messages are still JSON, and everything around the secret is as it was", () => {
  for (const { name, plant, mask } of places.filter(({ mask }) => mask === maskJson)) {
    for (const one of planted) {
      const { text } = mask(plant(one));
      expect(() => JSON.parse(text), name).not.toThrow();
      if (name === "nested arguments") expect(text).toContain("caf\u00e9");
    }
  }
});

test("a scanner by others finds nothing in what was masked", async () => {
  const config = { rules: [{ id: "preset", rule: creator }] };
  const scan = async (content: string): Promise<number> => {
    const source = { filePath: "/conversation.txt", content, ext: ".txt", contentType: "text" as const };
    return (await lintSource({ source, options: { config, noPhysicFilePath: true } })).messages.length;
  };
  let before = 0;
  for (const { plant, mask } of places) {
    const source = planted.map(plant);
    before += await scan(source.join("\n\n"));
    expect(await scan(source.map((text) => mask(text).text).join("\n\n"))).toBe(0);
  }
  expect(before).toBeGreaterThan(100);
});
