/** Tenants: whose a conversation is. Its name begins with its tenant's, and a slash. */
import { unlisted } from "./unlisted.ts";

/** `isOfTenant("acme/3f…", "acme")` → true. */
export function isOfTenant(conversation: string, tenant: string): boolean {
  return conversation.startsWith(`${tenant}/`);
}

/** How the names begin of all that an archive has of a tenant: its conversations, and what doors keep beside them. */
export function namesOfTenant(tenant: string): readonly [conversations: string, beside: string] {
  return [`${tenant}/`, unlisted(`${tenant}/`)];
}
