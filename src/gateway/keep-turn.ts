/** keepTurn: remembers a turn in which the gateway ran its own tools, so that the next request has it in place. */
import { COMPRESS_CONTEXT, readCompressRequest } from "../agent-control/compress-context.ts";
import { digestOf, nextLink } from "./chain.ts";
import type { OwnTurn } from "./job.ts";
import { entriesFor } from "./recipe.ts";
import { nameOf, type Recipes } from "./recipes.ts";

/** @param links of the request that the turn began with */
export async function keepTurn(
  { job, calls, echoes, entries }: OwnTurn,
  links: readonly string[],
  recipes: Recipes,
): Promise<void> {
  const count = links.length - 1;
  const { recipe, at: _at, failure: _failure, ...known } = await recipes.find(job.tenant, links);
  const name = nameOf({ recipe, ...known }, job, links.at(-1)!);
  const before = entriesFor(recipe, count);
  const linkAfter = (echo: readonly unknown[]): string =>
    echo.reduce<string>((link, message) => nextLink(link, digestOf(message)), links.at(-1)!);
  const kept = new Map(echoes.map((echo) => [linkAfter(echo), echo.length]));
  const asked = calls.findLast(({ name }) => name === COMPRESS_CONTEXT);
  const requested = asked ? readCompressRequest(asked.id, asked.arguments) : known.requested;
  for (const [link, length] of kept) {
    const next = { covers: count + length, entries: [...before, ...entries], noted: recipe.noted };
    await recipes.keep(job.tenant, link, { ...known, name, recipe: next, requested });
  }
}
