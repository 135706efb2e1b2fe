/** PriceTable: what a provider bills for a request, by where its tokens came from. */
import { z } from "zod";
import { OptionsError } from "../errors/options-error.ts";
import { isObject } from "../json/wire-value.ts";
import { schemaFault } from "../policy/schema-fault.ts";
import shipped from "./prices.json" with { type: "json" };

const price = z.number().nonnegative();
const priceTable = z.strictObject({
  /** Input that no cache is used for. All prices are for a million tokens, in any currency. */
  fresh: price,
  /** Input that is read and put into the cache. */
  cacheWrite: price,
  /** Input that the cache has. */
  cacheRead: price,
  output: price,
  /** How long the cache keeps a prefix after its last use. */
  cacheSeconds: price.default(300),
  /** Shorter prompts are not cached. */
  cacheMinimumTokens: price.default(1024),
});
const priceTables = z.record(z.string().min(1), priceTable);

export type PriceTable = Readonly<z.infer<typeof priceTable>>;
export type PriceTables = Readonly<Record<string, PriceTable>>;

/** The two that are shipped, `src/replay/prices.json`. */
export const shippedPrices: PriceTables = priceTables.parse(shipped);

/** Reads price tables from JSON text, by their names. Throws OptionsError. */
export function readPriceTables(text: string, name: string): PriceTables {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new OptionsError("--prices", `--prices ${name}: that is not JSON (${(cause as Error).message}).`);
  }
  const read = priceTables.safeParse(value);
  if (read.success && Object.keys(read.data).length > 0) return read.data;
  const why =
    read.success || !isObject(value)
      ? "it names no table"
      : schemaFault(read.error, value, Object.keys(priceTable.shape));
  throw new OptionsError(
    "--prices",
    `--prices ${name}: ${why}. Give {"NAME": {"fresh", "cacheWrite", "cacheRead", "output"}}, for a million tokens each.`,
  );
}
