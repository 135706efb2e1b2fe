/** Every transcript format, in order of preference where a file could be either. */
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codexRollout } from "./codex-rollout.ts";
import { copilotCli } from "./copilot-cli.ts";
import { pi } from "./pi.ts";
import { sweAgent } from "./swe-agent.ts";
import type { TranscriptFormat } from "./transcript.ts";

export const transcriptFormats: readonly TranscriptFormat[] = [
  claudeCode,
  codexRollout,
  pi,
  copilotCli,
  cline,
  sweAgent,
];
