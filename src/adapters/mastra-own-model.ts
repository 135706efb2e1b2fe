/** WatchedModel: the model of a step of Mastra's, which remembers what it was sent last, so that it can be asked once more. */
import { type AiCall, type AiModel, type AiParams, askAiModel } from "./ai-own-model.ts";
import type { Own } from "./own-summaries.ts";

export interface WatchedModel {
  /** Takes the model's place. */
  readonly model: object;
  /** How it is asked once more behind its next call. */
  readonly own: () => Own<unknown>;
}

/** The step after one may be given what was watched there. */
const known = new WeakMap<object, WatchedModel>();

/** Undefined for what is no model that can be watched. */
export function watchedModel(given: unknown): WatchedModel | undefined {
  if (!isModel(given)) return undefined;
  const watched = known.get(given) ?? watch(given);
  known.set(watched.model, watched);
  return watched;
}

function watch(given: AiModel): WatchedModel {
  let next = Promise.withResolvers<AiCall>();
  const called = (how: "doGenerate" | "doStream") => async (params: AiParams) => {
    const { resolve, reject } = next;
    try {
      const answer = await given[how](params);
      // The agent has its answer first.
      setImmediate(() => resolve({ model: given, params, how }));
      return answer;
    } catch (error) {
      reject(error);
      throw error;
    }
  };
  const watched = { doGenerate: called("doGenerate"), doStream: called("doStream") };
  return {
    model: new Proxy(given, {
      get: (target, name) => {
        if (name === "doGenerate" || name === "doStream") return watched[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
    own: () => {
      next = Promise.withResolvers<AiCall>();
      const { promise: ready } = next;
      ready.catch(() => {});
      return { ready, ask: async (request) => askAiModel(await ready, request) };
    },
  };
}

function isModel(model: unknown): model is AiModel {
  return typeof model === "object" && model !== null && "doGenerate" in model && "doStream" in model;
}
