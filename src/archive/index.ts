/** pith/archive: the contract of an archive, for one of your own. */

import "../needed-node.ts";

export { ArchiveError } from "../errors/archive-error.ts";
export type {
  Archive,
  ArchivedMessage,
  ArchiveFault,
  ArchiveItem,
  ArchiveStat,
  ArchiveWrite,
  Candidate,
  CandidateQuery,
  Checkpoint,
  CompactionRecord,
  ConversationInfo,
  Forget,
  ItemKind,
  MessagePlace,
  MessageRange,
  PithArchive,
  ReadyWrite,
  Removed,
  RetentionLimits,
  SearchScope,
  StoredItem,
  Verification,
} from "./archive.ts";
export { writeTo } from "./ready-write.ts";
