/** Job: the one schema of a --jsonl line but for its messages, which the wire formats read; type and check come from it. */
import { z } from "zod";

const tokens = z.int().positive();

/** The name of a line: all that a conversation to import needs beside its messages. */
export const idSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** Of a line that has the list in `messages` or `input`; the list itself was cut out of it. */
const list = z.array(z.unknown()).optional();

export const jobHeaderSchema = z.object({
  ...idSchema.shape,
  messages: list,
  input: list,
  window: tokens.nullish(),
  targetTokens: tokens.nullish(),
  preset: z.string().nullish(),
  tools: z.array(z.unknown()).nullish(),
});

export type JobHeader = z.infer<typeof jobHeaderSchema>;

export const JOB_KEYS = ["id", "messages", "window", "targetTokens", "preset", "tools"];

/** Another name for `messages`. */
export const ALIKE_KEYS = ["input"];
