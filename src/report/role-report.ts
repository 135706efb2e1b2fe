/** Which roles were read as another's, and which as an agent's: what a provider would not know is said. */
import { agentOf, type Message, type Role, wireRoleOf } from "../conversation/message.ts";
import { PROVIDERS_ROLES } from "../providers/roles.ts";
import { counted } from "../tokens/number-words.ts";

/** A role by the name that the messages have for it. */
export interface RoleReport {
  readonly name: string;
  /** Whose it was read as: `agent` is an agent of that name. */
  readonly readAs: Exclude<Role, "other"> | "agent";
  readonly messages: number;
}

export function rolesRead(messages: readonly Message[]): readonly RoleReport[] {
  const found = new Map<string, RoleReport>();
  for (const message of messages) {
    const name = wireRoleOf(message);
    if (name === undefined || PROVIDERS_ROLES.has(name)) continue;
    const { role } = message;
    if (role === "other" && agentOf(message) === undefined) continue;
    const times = found.get(name)?.messages ?? 0;
    found.set(name, { name, readAs: role === "other" ? "agent" : role, messages: times + 1 });
  }
  return [...found.values()];
}

/** `The role "human" (12 messages) was read as user.` */
export function roleLine({ name, readAs, messages }: RoleReport): string {
  const as = readAs === "agent" ? "an agent of that name" : readAs;
  return `The role ${JSON.stringify(name)} (${counted(messages, "message")}) was read as ${as}.`;
}
