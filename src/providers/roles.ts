/** Roles: what the names that lists of messages have for them stand for. */
import type { Role } from "../conversation/message.ts";

/** Who speaks. Programs that have a model of their own say `human` and `ai`. */
export const SPEAKERS: Readonly<Record<string, Role>> = {
  user: "user",
  human: "user",
  assistant: "assistant",
  model: "assistant",
  ai: "assistant",
  bot: "assistant",
};

/** All that are known to some format. */
export const ROLES: Readonly<Record<string, Role>> = {
  ...SPEAKERS,
  system: "system",
  developer: "system",
  tool: "tool",
  function: "tool",
};

/** The names by which providers know them. */
export const PROVIDERS_ROLES: ReadonlySet<string> = new Set([
  "system",
  "developer",
  "user",
  "assistant",
  "tool",
  "function",
]);

/** The role of that name, in whatever case; `other` is an agent's, by that name. */
export function roleNamed(name: unknown, roles: Readonly<Record<string, Role>>): Role {
  if (typeof name !== "string") return "other";
  if (Object.hasOwn(roles, name)) return roles[name]!;
  const plain = name.toLowerCase();
  return Object.hasOwn(roles, plain) ? roles[plain]! : "other";
}
