/** Every transcript format, in order of preference where a file could be either. */
import { claudeCode } from "./claude-code.ts";
import { codexRollout } from "./codex-rollout.ts";
import { pi } from "./pi.ts";
import type { TranscriptFormat } from "./transcript.ts";

export const transcriptFormats: readonly TranscriptFormat[] = [claudeCode, codexRollout, pi];
