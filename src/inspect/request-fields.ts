/** Request fields: what a request to the inspector's API may say, checked in one place. */
import { z } from "zod";
import { MOST_LINES } from "./item-view.ts";
import { InspectRefusal } from "./refusal.ts";

export const MOST_MESSAGES = 500;
const whole = (most: number, usual: number) => z.coerce.number().int().min(0).max(most).default(usual);
const name = z.string().min(1).max(1_000);

export const pageFields = z.object({ from: whole(1e9, 0), count: whole(MOST_MESSAGES, 100) });

export const itemFields = z.object({
  from: whole(1e9, 0),
  count: whole(MOST_LINES, 400),
  raw: z
    .enum(["0", "1"])
    .default("0")
    .transform((given) => given === "1"),
});

/** A time in ISO 8601, or in milliseconds since the epoch; a date alone means this time of that day. */
const time = (ofDay: string) =>
  z
    .string()
    .transform((given) => {
      if (/^\d+$/.test(given)) return Number(given);
      return Date.parse(/^\d{4}-\d\d-\d\d$/.test(given) ? given + ofDay : given);
    })
    .refine(Number.isFinite, "a time in ISO 8601");

export const searchFields = z.object({
  q: z.string().min(1).max(2_000),
  conversation: name.optional(),
  role: z.enum(["system", "user", "assistant", "tool", "other"]).optional(),
  tool: name.optional(),
  since: time("T00:00:00.000Z").optional(),
  until: time("T23:59:59.999Z").optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});

export const costFields = z.object({ window: z.coerce.number().int().min(1_000).max(1e8).optional() });

export const planFields = z.strictObject({
  conversation: name,
  preset: z.string().max(100).optional(),
  target: z.union([z.int().min(1), z.string().regex(/^\d+(?:\.\d+)?%$/)]).optional(),
  pins: z.array(z.int().min(0)).max(100_000).optional(),
  handOff: z.string().max(4_000_000).optional(),
  expects: z.int().min(0).optional(),
});

export const undoFields = z.strictObject({ compaction: name });

/** Throws Refusal, naming the field. Empty fields of a query are as good as none. */
export function readFields<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new InspectRefusal("BAD_REQUEST", z.prettifyError(read.error).replaceAll("\n", " "));
}
