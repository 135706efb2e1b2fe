/** Tenants: whose a conversation is. Its name begins with its tenant's, and a slash. */
import { unlisted } from "./unlisted.ts";

/** `isOfTenant("acme/3f…", "acme")` → true. */
export function isOfTenant(conversation: string, tenant: string): boolean {
  return conversation.startsWith(`${tenant}/`);
}

/** The tenant of a conversation; undefined where its name has none. */
export function tenantOfName(conversation: string): string | undefined {
  const end = conversation.indexOf("/");
  return end > 0 ? conversation.slice(0, end) : undefined;
}

/** How the names begin of all that an archive has of a tenant: its conversations, and what doors keep beside them. */
export function namesOfTenant(tenant: string): readonly [conversations: string, beside: string] {
  return [`${tenant}/`, unlisted(`${tenant}/`)];
}
