/** What tools cost, whatever the SDK describes their arguments with. */
import { expect, test } from "vitest";
import { z } from "zod";
import * as z3 from "zod/v3";
import { agentsDefinitions } from "../../src/adapters/agents-definitions.ts";
import { definitionOf } from "../../src/adapters/tool-definitions.ts";
import { plainCount } from "../independent-count.ts";

const words = "Which files to read, in the order of reading, each by its path from the root of the project.";
const wanted = {
  type: "object",
  properties: {
    paths: { type: "array", items: { type: "string" }, description: words },
    mode: { type: "string", enum: ["whole", "outline"] },
    limit: { type: "integer", description: words },
  },
  required: ["paths", "mode"],
  additionalProperties: false,
};
const four = z.object({
  paths: z.array(z.string()).describe(words),
  mode: z.enum(["whole", "outline"]),
  limit: z.number().int().describe(words).optional(),
});
const three = z3.object({
  paths: z3.array(z3.string()).describe(words),
  mode: z3.enum(["whole", "outline"]),
  limit: z3.number().int().describe(words).optional(),
});
const countOf = (schema: unknown): number =>
  plainCount(
    JSON.stringify(definitionOf({ schema }, (tool) => ({ name: "read", description: "Reads.", ...tool }))),
  );
const least = plainCount(
  JSON.stringify({ type: "function", function: { name: "read", description: "Reads.", parameters: wanted } }),
);

test.each([
  ["JSON Schema", wanted],
  ["the AI SDK's schema", { jsonSchema: wanted, validate: () => {} }],
  ["zod 4", four],
  ["zod 4 that no JSON Schema can say", four.extend({ at: z.date() })],
  ["zod 3", three],
])("counts no less than the JSON Schema that is sent: %s", (_kind, schema) => {
  expect(countOf(schema)).toBeGreaterThanOrEqual(least - 4);
  expect(countOf(schema)).toBeLessThan(least * 2);
});

test("a tool is read once, and one that cannot be written down is known by its name", () => {
  const tool = { schema: wanted };
  const read = () => ({ name: "read", schema: wanted });
  expect(definitionOf(tool, read)).toBe(definitionOf(tool, read));
  const circular: Record<string, unknown> = { type: "object" };
  circular.self = circular;
  expect(definitionOf({}, () => ({ name: "read", schema: circular }))).toEqual({ name: "read" });
});

test("an agent's tools are its own, those of its servers, its hand-offs and what it must answer with", async () => {
  let asked = 0;
  const agent = {
    tools: [{ type: "function", name: "own", description: "Own.", parameters: wanted }],
    handoffs: [{ name: "Clerk", handoffDescription: "Files things." }],
    outputType: four,
    mcpServers: [{}],
    getMcpTools: async () => {
      asked++;
      return [{ type: "function", name: "served", parameters: wanted }];
    },
  };
  const names = (await agentsDefinitions(agent, {})).map(
    (each) => (each as { readonly function: { readonly name: string } }).function.name,
  );
  await agentsDefinitions(agent, {});
  expect(names).toEqual(["own", "served", "transfer_to_Clerk", "output"]);
  expect(asked).toBe(1);
  const silent = { ...agent, getMcpTools: () => Promise.reject(new Error("no answer")) };
  expect(await agentsDefinitions(silent, {})).toHaveLength(3);
});
