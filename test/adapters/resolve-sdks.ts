/** Lets the examples find the SDKs of this workspace, and Pith's subpaths in its source: `node --import` this file. */
import { registerHooks } from "node:module";

const here = import.meta.url;
const source = new URL("../../src/", here);
const isAdapter = /^pith\/(openai|anthropic|ai-sdk|langchain|mastra)$/;

registerHooks({
  resolve: (specifier, context, next) => {
    const place = sourceOf(specifier);
    if (place) return next(new URL(place, source).href, context);
    try {
      return next(specifier, context);
    } catch (error) {
      if (/^[./]|^[a-z]+:/.test(specifier)) throw error;
      return next(specifier, { ...context, parentURL: here });
    }
  },
});

function sourceOf(specifier: string): string | undefined {
  const [, adapter] = isAdapter.exec(specifier) ?? [];
  if (adapter) return `adapters/${adapter}.ts`;
  if (specifier === "pith") return "index.ts";
  if (specifier === "pith/testing") return "testing/index.ts";
  return specifier.startsWith("pith/archive/") ? `${specifier.slice(5)}.ts` : undefined;
}
