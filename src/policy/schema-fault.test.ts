import { expect, test } from "vitest";
import { z } from "zod";
import { schemaFault } from "./schema-fault.ts";

const schema = z.strictObject({
  id: z.union([z.string(), z.number()]),
  window: z.int().positive().max(1_000).nullish(),
  tools: z.array(z.unknown()).optional(),
  name: z.string().min(1).optional(),
});
const faultIn = (value: unknown) =>
  schemaFault(schema.safeParse(value).error!, value, Object.keys(schema.shape));

test.each<[unknown, string]>([
  [undefined, "give an object with id, window, tools, name"],
  [[], "give an object with id, window, tools, name"],
  [{}, "id is missing"],
  [{ id: true }, "id must be a text or a number"],
  [{ id: 1, window: "many" }, "window must be a number"],
  [{ id: 1, window: 1.5 }, "window must be a whole number"],
  [{ id: 1, window: -4 }, "window must be above 0"],
  [{ id: 1, window: 2_000 }, "window must be at most 1000"],
  [{ id: 1, tools: {} }, "tools must be a list"],
  [{ id: 1, name: "" }, "name must be a text that is not empty"],
  [{ id: 1, windw: 5 }, 'there is no "windw" here (did you mean "window"?)'],
  [{ id: 1, colour: 5 }, 'there is no "colour" here (the keys are id, window, tools, name)'],
])("%j: %s", (value, words) => {
  expect(faultIn(value)).toBe(words);
});
