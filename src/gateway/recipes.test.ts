import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { initialState } from "../state/compaction-state.ts";
import { plainRecipe } from "./recipe.ts";
import { createRecipes } from "./recipes.ts";

test("what is remembered of a conversation does not keep its bodies in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const recipes = createRecipes(undefined, () => 0);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 100; at++) {
    // A buffer gives one flat text, of which a slice is a view.
    const body = Buffer.alloc(1_000_000, `body ${at} `).toString("latin1");
    const recipe = { ...plainRecipe, entries: [0, body.slice(100, 200)] };
    recipes.remember(`link${at}`, { recipe, state: initialState });
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});

test("the links of a conversation share what they remember", async () => {
  const recipes = createRecipes(undefined, () => 0);
  recipes.remember("b", { recipe: { ...plainRecipe, entries: ["{}"] }, state: initialState });
  const first = await recipes.find("t", ["a", "b"]);
  recipes.remember("c", first);
  const next = await recipes.find("t", ["a", "b", "c"]);
  expect(next.recipe).toBe(first.recipe);
  expect(next.state).toBe(first.state);
});
