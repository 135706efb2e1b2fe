/** Whose a conversation is: the gateway names those of a tenant `TENANT/…`; others have names of their own. */

export function tenantOfName(conversation: string): string | undefined {
  return /^([\w.-]{1,64})\//.exec(conversation)?.[1];
}
