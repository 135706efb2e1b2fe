/** recall_search and recall_expand over an archive. */
import type { Archive } from "../archive/archive.ts";
import { expand } from "../recall/expand.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { Tool } from "./tools.ts";

const counter = createTokenCounter();

export function searchTool(archive: Archive): Tool {
  return {
    name: "recall_search",
    description: "Search what was said, done or printed earlier in conversations.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1 },
        limit: { type: "integer", minimum: 1, maximum: 50 },
        max_tokens: { type: "integer", minimum: 60, maximum: 20000 },
      },
      required: ["query"],
    },
    run: async (given) => {
      const {
        query,
        limit = 5,
        max_tokens = 2000,
      } = given as {
        query: string;
        limit?: number;
        max_tokens?: number;
      };
      const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 32);
      const found = (await archive.candidates!({ words, limit })).slice(0, limit);
      const lines: string[] = [];
      let room = max_tokens - 16;
      for (const { conversation, position, id, role, text } of found) {
        const line = `${id} ${conversation} #${position} ${role}: ${text.slice(0, 300)}`;
        room -= counter.text(line) + 1;
        if (room >= 0) lines.push(line);
      }
      return { text: [...lines, `[showing ${lines.length} of ${found.length} results]`].join("\n") };
    },
  };
}

export function expandTool(archive: Archive): Tool {
  return {
    name: "recall_expand",
    description: "Open an original by its id, or a range of messages of a conversation.",
    parameters: {
      type: "object",
      properties: {
        id: { type: "string", maxLength: 64 },
        conversation: { type: "string" },
        from: { type: "integer", minimum: 0 },
        to: { type: "integer", minimum: 0 },
        grep: { type: "string" },
        offset: { type: "integer", minimum: 0 },
        max_tokens: { type: "integer", minimum: 60, maximum: 20000 },
      },
    },
    run: async (given) => {
      const { id, conversation, from, to, grep, offset, max_tokens } = given as {
        id?: string;
        conversation?: string;
        from?: number;
        to?: number;
        grep?: string;
        offset?: number;
        max_tokens?: number;
      };
      if (id === undefined && conversation === undefined)
        return { text: "Give an id, or a conversation.", isError: true };
      const target =
        id !== undefined
          ? { id }
          : {
              conversation: conversation!,
              ...(from !== undefined && { from }),
              ...(to !== undefined && { to }),
            };
      const { text, found } = await expand(archive, counter, target, {
        ...(grep !== undefined && { grep }),
        ...(offset !== undefined && { offset }),
        ...(max_tokens !== undefined && { maxTokens: max_tokens }),
      });
      return { text, isError: !found };
    },
  };
}
