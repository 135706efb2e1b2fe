/** Every row of the project's own table and every rule of secretlint: what it looks for is masked wherever it is whole. */
import { extname } from "node:path";
import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, test } from "vitest";
import { maskText } from "../src/redact/mask-json.ts";
import { secretKinds } from "../src/redact/secret-kinds.ts";
import { type RuleSecret, ruleSecrets, tableSecrets } from "./planted-kinds.ts";
import { places, traces } from "./planted-secrets-places.ts";

const SEEDS = ["one", "two", "three", "four"];
/** Those where a line is planted as it would be written. */
const WHOLE = new Set(["plain text", "a message", "nested arguments", "JSON in JSON in JSON", "base64"]);

/** What the rule says of a text in a file of its kind. */
async function reports(rule: string, { file }: RuleSecret, content: string): Promise<readonly string[]> {
  const id = `@secretlint/secretlint-rule-${rule}`;
  const config = { rules: [{ id, rule: rules.find(({ meta }) => meta.id === id)! }] } as never;
  const source = { filePath: `/${file}`, content, ext: extname(`x${file}`), contentType: "text" as const };
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
  return messages.map(({ message }) => message);
}

test("every rule of secretlint that looks for secrets is planted for, and finds what is planted", async () => {
  const planted = ruleSecrets("rules");
  const names = rules.map(({ meta }) => meta.id.replace("@secretlint/secretlint-rule-", ""));
  const looking = names.filter((name) => name !== "filter-comments");
  expect([...new Set(planted.map(({ rule }) => rule))].toSorted()).toEqual(looking.toSorted());
  for (const one of planted)
    expect(await reports(one.rule, one, one.line(one.secret)), one.kind).not.toEqual([]);
});

test("[R46] no rule of secretlint finds anything in what was masked", async () => {
  for (const one of SEEDS.flatMap(ruleSecrets)) {
    const { text, masked } = maskText(one.line(one.secret));
    expect(masked.length, one.kind).toBeGreaterThan(0);
    // Some take whatever has the place of a secret for one.
    const found = await reports(one.rule, one, text);
    expect(found.filter((told) => !told.includes("[redacted: "))).toEqual([]);
  }
});

test.each(places.filter(({ name }) => WHOLE.has(name)))(
  "[R46] of every row of the table and every rule of secretlint nothing is found after masking in $name",
  ({ plant, mask }) => {
    const planted = SEEDS.flatMap((seed) => [...tableSecrets(seed), ...ruleSecrets(seed)]);
    expect(planted.length).toBeGreaterThan(SEEDS.length * (secretKinds.length + rules.length));
    for (const one of planted) {
      const source = plant(one);
      expect(traces(one, source), `${one.kind} is planted`).not.toEqual([]);
      const { text } = mask(source);
      expect(traces(one, text), `${one.kind} in ${text}`).toEqual([]);
    }
  },
);
