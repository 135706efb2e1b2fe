import { expect, test } from "vitest";
import { chosenIn, confirms, withConfirmed, withoutUnchosen } from "./options.ts";
import { splitUnits } from "./split-units.ts";
import { entry, weightsOf } from "./story.ts";

test.each([
  ["I'll go with option 2, please.", "2"],
  ["Option B", "B"],
  ["i like option 3, left most", "3"],
  ["Does option 2 include a bag?", undefined],
  ["Option 1 doesn't work, the hash can change.", undefined],
  ["Option 1 or option 2, whichever is cheaper.", undefined],
  ["Use option 1 instead of the cheap one.", undefined],
  ["I’d like to go with Option 1, please. Could you also check the refund?", "1"],
  ["Don’t do option 2.", undefined],
  ["Skip option 2.", undefined],
  ["Anything but option 2", undefined],
  ["Option 1 is out.", undefined],
  ["Option 2 is too risky, think again.", undefined],
  ["Explain option 2 more.", undefined],
  ["Please go on.", undefined],
])("the option that is chosen in %j is %s", (ask, chosen) => {
  expect(chosenIn(ask)).toBe(chosen);
});

test.each([
  ["yes", true],
  ["Yes, everything looks correct. Please go ahead with the changes. Thank you!", true],
  ["go ahead, including the rename", true],
  ["Yes, but keep the return flight.", false],
  ["Ok, why does it fail?", false],
  ["Sure, my user id is sophia_silva_7557.", false],
  ["Fix it.", false],
  ["Yes, please proceed with downgrading all passengers to economy.", true],
  ["Perfect! Now delete the staging database", false],
  ["Correct the typo in the README", false],
  ["Continue with the migration to postgres", false],
])("whether %j only confirms: %s", (ask, expected) => {
  expect(confirms(ask)).toBe(expected);
});

test("what a yes confirms is the last list of what was proposed, with its lead, and not what is before it", () => {
  const said = "It was $368.\n\nThe changes are:\n\n- Keep economy.\n- Pay $105.\n\nShall I?";
  const units = splitUnits(said).map((each) => ({ ...each, worth: 1 }));
  expect(weightsOf(withConfirmed(entry("answer", units))).map(({ worth }) => worth > 1)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

const offered = `Here is what I found:

1. **Option 1:**
   - Flight HAT110, $105
2. **Option 2:**
   - Flight HAT227, $112

Which one do you want?`;

test("the options that were not chosen are told after everything else, with all that is under them", () => {
  const told = withoutUnchosen(entry("answer", splitUnits(offered)), "1");
  expect(told.units.filter(({ minor }) => minor === "printed").map(({ text }) => text.trim())).toEqual([
    "2. **Option 2:**",
    "- Flight HAT227, $112",
  ]);
});

test("an answer that offers no such option is told as it is", () => {
  const said = entry("answer", splitUnits("Option 2 is done."));
  expect(withoutUnchosen(said, "1")).toBe(said);
});
