import { expect, test } from "vitest";
import type { MediaPart } from "../conversation/part.ts";
import { mediaTokens } from "./media.ts";

const image = (size?: readonly [number, number], detail?: string): MediaPart => ({
  type: "media",
  kind: "image",
  ...(size ? { size } : {}),
  ...(detail ? { detail } : {}),
});

test("[R26] an image of unknown size has a flat price", () => {
  expect(mediaTokens(image())).toBe(1600);
  expect(mediaTokens(image(), "area")).toBe(1600);
  expect(mediaTokens(image([0, Number.NaN]))).toBe(1600);
});

test("[R26] OpenAI prices an image by its tiles, low detail flat", () => {
  expect(mediaTokens(image([512, 512]))).toBe(85 + 170);
  expect(mediaTokens(image([1024, 1024]))).toBe(765);
  expect(mediaTokens(image([2048, 4096]))).toBe(1105);
  expect(mediaTokens(image([4096, 8192], "low"))).toBe(85);
  expect(mediaTokens(image([1, 100_000]))).toBe(85 + 170 * 4);
});

test("[R26] Anthropic prices an image by its area, up to a ceiling", () => {
  expect(mediaTokens(image([200, 200]), "area")).toBe(54);
  expect(mediaTokens(image([1000, 1000]), "area")).toBe(1334);
  expect(mediaTokens(image([8000, 8000]), "area")).toBe(1600);
});

test("sounds and documents have flat prices", () => {
  expect(mediaTokens({ type: "media", kind: "audio" })).toBe(1000);
  expect(mediaTokens({ type: "media", kind: "document" })).toBe(3000);
});
