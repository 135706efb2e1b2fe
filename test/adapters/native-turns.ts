/** Generated turns in the messages of each SDK. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { AgentInputItem } from "@openai/agents";
import type { ModelMessage } from "ai";
import type { Call, Turn } from "../arbitrary/turn.ts";

const THOUGHT = "Hmm, wait. Perhaps not. ".repeat(20);
const PICTURE = "AAAA";

export function aiTurn({ asked, picture, steps, answer }: Turn, n: number): readonly ModelMessage[] {
  const signed = { anthropic: { signature: "c2ln" } };
  const image = { type: "file" as const, mediaType: "image/png", data: PICTURE };
  return [
    { role: "user", content: [{ type: "text", text: asked }, ...(picture ? [image] : [])] },
    ...steps.flatMap(({ said, calls, thinks }, step): readonly ModelMessage[] => {
      const idOf = (at: number) => `call_${n}_${step}_${at}`;
      return [
        {
          role: "assistant",
          content: [
            ...(thinks ? [{ type: "reasoning" as const, text: THOUGHT, providerOptions: signed }] : []),
            ...(said === "" ? [] : [{ type: "text" as const, text: said }]),
            ...calls.map(({ name, input }, at) => ({
              type: "tool-call" as const,
              toolCallId: idOf(at),
              toolName: name,
              input,
            })),
          ],
        },
        {
          role: "tool",
          content: calls.map((call, at) => ({
            type: "tool-result" as const,
            toolCallId: idOf(at),
            toolName: call.name,
            output: aiOutput(call),
          })),
        },
      ];
    }),
    { role: "assistant", content: answer },
  ];
}

function aiOutput({ output, fails, inBlocks, isCustom }: Call) {
  if (fails) return { type: "error-text" as const, value: output };
  if (isCustom) return { type: "json" as const, value: { output } };
  if (inBlocks && output.trim() !== "")
    return { type: "content" as const, value: [{ type: "text" as const, text: output }] };
  return { type: "text" as const, value: output };
}

export function langChainTurn({ asked, picture, steps, answer }: Turn, n: number): readonly BaseMessage[] {
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } };
  return [
    new HumanMessage({ content: picture ? [{ type: "text", text: asked }, image] : asked }),
    ...steps.flatMap(({ said, calls }, step) => [
      new AIMessage({
        content: said,
        tool_calls: calls.map(({ name, input }, at) => ({
          id: `call_${n}_${step}_${at}`,
          name,
          args: input as Record<string, unknown>,
        })),
      }),
      ...calls.map(
        ({ name, output, fails }, at) =>
          new ToolMessage({
            content: output,
            tool_call_id: `call_${n}_${step}_${at}`,
            name,
            status: fails ? "error" : "success",
          }),
      ),
    ]),
    new AIMessage(answer),
  ];
}

export function agentsTurn({ asked, steps, answer }: Turn, n: number): readonly AgentInputItem[] {
  return [
    { role: "user", content: asked },
    ...steps.flatMap(({ said, calls, thinks }, step): readonly AgentInputItem[] => [
      ...(thinks
        ? [
            {
              type: "reasoning" as const,
              id: `rs_${n}_${step}`,
              content: [{ type: "input_text" as const, text: THOUGHT }],
            },
          ]
        : []),
      ...(said === "" ? [] : [assistantItem(said)]),
      ...calls.map(({ name, input }, at) => ({
        type: "function_call" as const,
        id: `fc_${n}_${step}_${at}`,
        callId: `call_${n}_${step}_${at}`,
        name,
        arguments: JSON.stringify(input),
        status: "completed" as const,
      })),
      ...calls.map(({ name, output, inBlocks }, at) => ({
        type: "function_call_result" as const,
        callId: `call_${n}_${step}_${at}`,
        name,
        status: "completed" as const,
        output: inBlocks
          ? [{ type: "input_text" as const, text: output }]
          : { type: "text" as const, text: output },
      })),
    ]),
    assistantItem(answer),
  ];
}

function assistantItem(text: string): AgentInputItem {
  return { role: "assistant", status: "completed", content: [{ type: "output_text", text }] };
}
