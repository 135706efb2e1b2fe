import { expect, test } from "vitest";
import {
  countEpistemicMarkers,
  EPISTEMIC_MARKERS,
  markerAnnotation,
  markerPhrases,
} from "./epistemic-markers.ts";

test.each([
  ["But wait, this is off.", 2],
  ["Actually no.", 2],
  ["Let me double-check.", 1],
  ["Hold on.", 1],
  ["Hmm, perhaps we should try again.", 2],
  ["Wait, actually I was wrong. Let me verify this.", 3],
  ["wait wait wait", 1],
  ["I'm not sure; perhaps.", 1],
  ["The answer is 42.", 0],
  ["Wait, actually let me verify.", 2],
])("[F63 F64] counts the groups in %j", (text, count) => {
  expect(countEpistemicMarkers(text)).toBe(count);
});

test("[F63] finds each phrase of the five groups, in any case, by whole words", () => {
  expect(EPISTEMIC_MARKERS).toHaveLength(5);
  for (const phrase of EPISTEMIC_MARKERS.flat()) {
    expect(countEpistemicMarkers(`So ${phrase.toUpperCase()}, then`)).toBeGreaterThan(0);
    expect(countEpistemicMarkers(`x${phrase}x`)).toBe(0);
  }
});

test("[F64] counts at most one for a group, five in all", () => {
  expect(countEpistemicMarkers(EPISTEMIC_MARKERS.flat().join(", ").repeat(3))).toBe(5);
});

test("[F66] names the literal phrases of what was archived, in order, each once", () => {
  const phrases = markerPhrases("Wait. actually, WAIT! But wait: I’m not sure.");
  expect(phrases).toEqual(["Wait", "actually", "But wait", "I’m not sure"]);
  expect(markerAnnotation(8, ["wait", "actually"])).toBe(
    '[Archived 8 messages. Uncertainty points preserved: "wait", "actually"]',
  );
  expect(markerAnnotation(8, [])).toBe("[Archived 8 messages.]");
  expect(
    markerAnnotation(
      2,
      Array.from({ length: 30 }, (_, index) => `p${index}`),
    ),
  ).toMatch(/"p19", \.\.\.\]$/);
});

test.each(["a", " ", "wait ", "w", "漢", "but "])("gets through a megabyte of %j", (piece) => {
  const text = piece.repeat(1e6 / piece.length);
  expect(countEpistemicMarkers(text)).toBe(piece === "wait " ? 1 : 0);
  expect(markerPhrases(text)).toEqual(piece === "wait " ? ["wait"] : []);
});
