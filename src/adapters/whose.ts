/** Whose: which conversation and which user a call is of, so that one client can serve many. */
import { OptionsError } from "../errors/options-error.ts";

export interface Whose {
  /** The conversation's name in the archive; recall is limited to it. @default it is known by its content */
  readonly conversationId?: string | undefined;
  /** Whose conversation it is: nothing of one user is found or sent for another. @default everybody is one user */
  readonly user?: string | undefined;
}

/** Two users may have conversations of the same name. With a user alone, its conversations are known by their content. */
export function tenantOfUser(user: string): string {
  return `@${encodeURIComponent(user)}`;
}

/** The name in the archive; undefined where the call has none. Throws OptionsError. */
export function nameOfCall({ conversationId, user }: Whose): string | undefined {
  for (const [option, value] of Object.entries({ conversationId, user })) {
    if (value !== undefined && (typeof value !== "string" || value === "")) {
      throw new OptionsError(
        option,
        `${option} must be text that is not empty, not ${JSON.stringify(value)}.`,
      );
    }
  }
  if (conversationId === undefined) return undefined;
  if (user !== undefined) return `${tenantOfUser(user)}/${conversationId}`;
  if (conversationId.startsWith("@")) {
    throw new OptionsError(
      "conversationId",
      `conversationId ${JSON.stringify(conversationId)}: names with @ before them are those of users. Give the user as user.`,
    );
  }
  return conversationId;
}
