/**
 * Where a numbered behaviour is otherwise than its document describes it, and why. A number that is not here is as described.
 * Each reason also stands where a user of the preset looks: in docs/presets.md or the page of the part.
 */
export const otherwise: Readonly<Record<string, string>> = {};
