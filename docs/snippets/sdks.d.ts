/** As much of the SDKs as snippets use: they are not installed here. `npm run test:adapters` compiles examples/03 to 07 with them. */

declare module "openai" {
  export default class OpenAI {
    constructor(options: { fetch?: typeof fetch });
  }
}

declare module "@anthropic-ai/sdk" {
  export default class Anthropic {
    constructor(options: { fetch?: typeof fetch });
  }
}

declare module "@ai-sdk/openai" {
  export function openai(model: string): unknown;
}

declare module "ai" {
  export function wrapLanguageModel(options: { model: unknown; middleware: object }): unknown;
  export function generateText(options: {
    model: unknown;
    tools: object;
    messages: unknown[];
  }): Promise<unknown>;
}

declare module "langchain" {
  export function createAgent(options: { model: unknown; tools: unknown[]; middleware: object[] }): unknown;
}

declare module "@mastra/core/agent" {
  export class Agent {
    constructor(options: { tools: object; inputProcessors: object[]; errorProcessors: object[] });
  }
}
