/** pith/archive: the contract of an archive, for one of your own. */

export { ArchiveError } from "../errors/archive-error.ts";
export type {
  Archive,
  ArchivedMessage,
  ArchiveItem,
  ArchiveWrite,
  Candidate,
  CandidateQuery,
  Checkpoint,
  CompactionRecord,
  ConversationInfo,
  Fault,
  Forget,
  ItemKind,
  MessagePlace,
  MessageRange,
  Removed,
  Retention,
  SearchScope,
  StoredItem,
  Verification,
} from "./archive.ts";
