/** What was found in the archive. */
import type { SideView } from "./message.ts";

/** GET api/search?q=&conversation=&role=&tool=&since=&until=&limit= (times in ISO 8601 or milliseconds) */
export interface SearchView {
  readonly results: readonly SearchRow[];
  /** So many were found and ranked. */
  readonly found: number;
}

export interface SearchRow {
  readonly conversationId: string;
  /** Its position. */
  readonly message: number;
  readonly id: string;
  readonly role: SideView["role"];
  readonly at: number;
  readonly score: number;
  readonly snippet: string;
  /** It is not in the conversation's past as the last compaction left it: taken back, or of another branch. */
  readonly otherBranch?: true;
}
