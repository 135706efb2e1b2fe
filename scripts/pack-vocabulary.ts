/**
 * Packs the vocabularies of gpt-tokenizer into src/tokens/*-base.json: the length of each token in a byte, a zero, all
 * tokens one after another; compressed, in base64. `node scripts/pack-vocabulary.ts`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { projectRoot } from "./listed-tests.ts";

const require = createRequire(import.meta.url);
const manifest = require.resolve("gpt-tokenizer/package.json");
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
// Whoever passes the tokens on passes their license on.
const license = readFileSync(join(dirname(manifest), "LICENSE"), "utf8");

for (const encoding of ["o200k_base", "cl100k_base"]) {
  const lines = readFileSync(require.resolve(`gpt-tokenizer/data/${encoding}.tiktoken`), "latin1").trimEnd();
  const tokens = lines.split("\n").map((line) => Buffer.from(line.split(" ")[0]!, "base64"));
  const lengths = Buffer.from(tokens.map(({ length }) => length));
  const packed = brotliCompressSync(Buffer.concat([lengths, Buffer.of(0), ...tokens])).toString("base64");
  const about = `The tokens of ${encoding} in rank order, from gpt-tokenizer ${version}. Written by scripts/pack-vocabulary.ts.`;
  const file = join(projectRoot, "src", "tokens", `${encoding.replace("_", "-")}.json`);
  writeFileSync(file, `${JSON.stringify({ about, license, tokens: packed }, null, 2)}\n`);
  process.stderr.write(`${file}: ${tokens.length} tokens\n`);
}
