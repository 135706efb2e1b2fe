/** Job: the one schema of a --jsonl line but for its messages, which the wire formats read; type and check come from it. */
import { z } from "zod";

const tokens = z.int().positive();

/** The name of a line: all that a conversation to import needs beside its messages. */
export const idSchema = z.object({ id: z.union([z.string(), z.number()]) });

export const jobHeaderSchema = idSchema.extend({
  window: tokens.nullish(),
  targetTokens: tokens.nullish(),
  preset: z.string().nullish(),
  tools: z.array(z.unknown()).nullish(),
});

export type JobHeader = z.infer<typeof jobHeaderSchema>;

/** The first fault in a job, with its place: `targetTokens: Invalid input: expected number, received string`. */
export function whatIsWrong(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the line"}: ${issue?.message ?? "not a job"}`;
}
