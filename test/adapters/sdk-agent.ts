/** SdkAgent: an agent built with an SDK, with Pith's adapter or without, so that every adapter can be shown to do the same. */
import type { AdapterOptions } from "../../src/adapters/sessions.ts";
import { type AgentServer, ask, moduleText } from "./agent-server.ts";

export interface SdkAgent {
  /** Asks, lets the SDK call tools until it is done, and gives the last words. What was said stays with the agent. */
  readonly ask: (text: string, how?: { readonly stream: boolean }) => Promise<string>;
  /** Asks with pictures, each base64 of a PNG. */
  readonly show: (pictures: readonly string[], text: string) => Promise<string>;
  /** Everything that a stream gives while an ask is answered, in the SDK's own form. */
  readonly chunks: (text: string) => Promise<readonly unknown[]>;
}

export interface AgentMeans {
  readonly server: AgentServer;
  /** Absent: the SDK as it is, without Pith. */
  readonly options?: AdapterOptions;
  readonly history?: readonly Words[];
  /** The model's name. @default one of the SDK's provider */
  readonly model?: string;
  /** What the schema of the agent's own tool says of its argument. @default a few words */
  readonly told?: string;
  /** Hears which modules are read. */
  readonly onRead?: (module: number) => void;
}

/** What somebody said, in the form that every SDK takes. */
export interface Words {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface TestedAdapter {
  readonly name: string;
  readonly create: (means: AgentMeans) => SdkAgent;
  /** Keys of chunks whose values are of the moment: times, and what was sent. */
  readonly momentary?: readonly string[];
  /** What the SDK leaves no way for, each with the reason. */
  readonly gaps?: { readonly overflow?: string; readonly liveFill?: string; readonly own?: string };
}

/** So many turns of reading modules, about 700 tokens each. */
export function longHistory(turns: number): readonly Words[] {
  return Array.from({ length: turns }, (_, turn): readonly Words[] => [
    { role: "user", content: ask(turn) },
    { role: "assistant", content: moduleText(turn) },
  ]).flat();
}

/** The caller's key: it goes to the provider, and nowhere else. */
export const KEY = "caller-key-4fd2c1d0b7";

export const SYSTEM = "You are a careful agent.";

/** The agent's own tool. */
export function readModule({ onRead }: AgentMeans, { module }: { readonly module: number }): string {
  onRead?.(module);
  return moduleText(module);
}

export const moduleSchema = ({ told = TOLD }: Pick<AgentMeans, "told">) => ({
  type: "object" as const,
  properties: { module: { type: "integer", description: told } },
  required: ["module"],
});

export const TOLD = "Its number.";
