/** Asked branch: which branch of a conversation a question comes from, and what is not in its past. */
import type { Archive } from "../archive/archive.ts";
import { type AskingMessages, type Branch, branchOf } from "../archive/branch.ts";
import { readConversation } from "../providers/detect.ts";

/** Who asks, as a question to an archive says it. */
export interface Asking {
  /**
   * The request that it is asked from, or its messages, in any wire format: what is not in their past is not found. Needs
   * `conversationId`, the conversation that they are of. @default the conversation as its last compaction left it
   */
  readonly asking?: unknown;
  /** Also finds what was taken back by going back, or said in another branch; such results say so. @default false */
  readonly otherBranches?: boolean;
}

/** What is not in the past of the one who asks, by conversation; each is found out once. */
export type Outside = (conversation: string) => Promise<ReadonlySet<string>>;

/** @param own the conversation that the messages are of; of any other the last compaction tells its branch */
export function outsideOf(archive: Archive, asking?: readonly AskingMessages[], own?: string): Outside {
  const branches = new Map<string, Promise<Branch>>();
  return async (conversation) => {
    const from = conversation === own ? asking : undefined;
    const branch = branches.get(conversation) ?? branchOf(archive, conversation, from);
    branches.set(conversation, branch);
    return (await branch).outside;
  };
}

/** The messages of a request, as one who asks; undefined where there is none. Throws InputError. */
export function askingFrom(body: unknown): readonly AskingMessages[] | undefined {
  return body === undefined ? undefined : [readConversation(body).messages];
}
