/** Every transcript format, in order of preference where a file could be either. */
import { aiSdkModel } from "./ai-sdk-model.ts";
import { aiSdkUi } from "./ai-sdk-ui.ts";
import { aider } from "./aider.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codexRollout } from "./codex-rollout.ts";
import { codexTuiLog } from "./codex-tui-log.ts";
import { copilotChat } from "./copilot-chat.ts";
import { copilotCli } from "./copilot-cli.ts";
import { geminiCli } from "./gemini-cli.ts";
import { gptme } from "./gptme.ts";
import { langChain } from "./langchain.ts";
import { markdownChat } from "./markdown-chat.ts";
import { anthropicExport, openAIChatExport } from "./message-list.ts";
import { openAIAssistants } from "./openai-assistants.ts";
import { openAIResponses } from "./openai-responses.ts";
import { openCode } from "./opencode.ts";
import { openHands } from "./openhands.ts";
import { openInference } from "./openinference.ts";
import { pi } from "./pi.ts";
import { sweAgent } from "./swe-agent.ts";
import type { TranscriptFormat } from "./transcript.ts";

export const transcriptFormats: readonly TranscriptFormat[] = [
  claudeCode,
  codexRollout,
  codexTuiLog,
  pi,
  copilotCli,
  copilotChat,
  openInference,
  sweAgent,
  openCode,
  geminiCli,
  openAIAssistants,
  cline,
  openHands,
  aiSdkUi,
  aiSdkModel,
  langChain,
  openAIResponses,
  gptme,
  aider,
  openAIChatExport,
  anthropicExport,
  markdownChat,
];
