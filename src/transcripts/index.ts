/** Transcripts: session files of agent programs, read and written. */
import "../needed-node.ts";

export { transcriptFormats } from "./formats.ts";
export { portableBody } from "./portable-body.ts";
export {
  detectTranscript,
  type ReadTranscriptOptions,
  readTranscript,
  writeTranscript,
} from "./read-transcript.ts";
export type { Problem, SessionFacts, Transcript, TranscriptBody, TranscriptFormat } from "./transcript.ts";
