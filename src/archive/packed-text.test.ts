import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { CODECS, encodeText, packText, unpackText } from "./packed-text.ts";

test("gives every text back, and takes less room for a long one", () => {
  const texts = [
    "",
    "short",
    "half \ud83d of a pair",
    "\0",
    "long text ".repeat(1_000),
    "half \ud83d".repeat(1_000),
  ];
  for (const text of texts) {
    const packed = packText(text);
    expect(unpackText(packed)).toBe(text);
    if (text.length > 1_000) expect(packed.bytes.length).toBeLessThan(text.length / 10);
  }
});

test("reads what another Node has written with brotli", () => {
  const { bytes, hash } = encodeText("written elsewhere");
  expect(unpackText({ codec: CODECS.brotli, bytes: brotliCompressSync(bytes), hash })).toBe(
    "written elsewhere",
  );
});

test("gives nothing for damaged bytes, another hash or an unknown codec", () => {
  const packed = packText("long text ".repeat(1_000));
  expect(packed.codec).toBe(CODECS.zstd);
  for (const at of [0, 4, packed.bytes.length - 1]) {
    const bytes = Buffer.from(packed.bytes);
    bytes[at]! ^= 1;
    expect(unpackText({ ...packed, bytes })).toBe(undefined);
  }
  expect(unpackText({ ...packed, bytes: packed.bytes.subarray(0, 9) })).toBe(undefined);
  expect(unpackText({ ...packed, hash: packText("other").hash })).toBe(undefined);
  expect(unpackText({ ...packed, codec: 4 })).toBe(undefined);
});
