/** Every preset at its own threshold gives the same through the library, `pith compact --preset` and the gateway. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompactor } from "../../src/compactor.ts";
import type { PresetName } from "../../src/policy/presets.ts";
import { createModelServer } from "../../src/testing/model-server.ts";
import { gatewayTo, post, speaking, startProvider } from "../gateway-world.ts";
import { inTemporaryFolder, runPith } from "../run-pith.ts";
import { baseAt, tokensOf } from "./at-threshold.ts";
import { talk } from "./talk.ts";

/** The share at which each acts the first time, and the reserve beside which that is of the rest. */
const thresholds: Readonly<Record<PresetName, { readonly at: number; readonly reserve?: number }>> = {
  balanced: { at: 1, reserve: 200 },
  gptme: { at: 0.5 },
  factor3: { at: 0.5 },
  hermes: { at: 0.85 },
  "hermes-lean": { at: 0.75, reserve: 200 },
  synthorg: { at: 0.8 },
  "synthorg-agent": { at: 0.95 },
  deepagents: { at: 0.85 },
};

const messages = talk(18, 120);

for (const [name, { at, reserve }] of Object.entries(thresholds)) {
  const preset = name as PresetName;
  const due = baseAt(at, tokensOf(messages, preset)) + (reserve ?? 0);

  test(`[F89] ${preset} is the same system through library and command line`, async () => {
    await inTemporaryFolder(async (folder) => {
      const file = join(folder, "talk.json");
      writeFileSync(file, JSON.stringify(messages));
      const typed = (window: number) =>
        runPith([
          ...["compact", file, "--preset", preset, "--window", String(window)],
          ...(reserve === undefined ? [] : ["--reserve", String(reserve)]),
        ]);
      const [early, compacted] = await Promise.all([typed(due + 1), typed(due)]);
      expect([early.exitCode, JSON.parse(early.stdout)]).toEqual([0, messages]);
      const { messages: output, report } = await inLibrary(preset, due, reserve);
      expect(report.compacted).toBe(true);
      expect([compacted.exitCode, JSON.parse(compacted.stdout)]).toEqual([0, output]);
    });
  });

  test(`[F89] ${preset} is the same system through library and gateway`, async () => {
    const provider = await startProvider(speaking(() => ({ text: "Fine.", calls: [] })));
    const send = async (window: number) => {
      // What the gateway offers to the model has a size of its own.
      const gateway = await gatewayTo(provider.url, { preset, window, reserve, tools: "none" });
      await post(`${gateway.url}/v1/chat/completions`, { model: "unknown", messages });
      await gateway.stop();
      return provider.received.at(-1)!.body.messages;
    };
    try {
      expect(await send(due + 1)).toEqual(messages);
      expect(await send(due)).toEqual((await inLibrary(preset, due, reserve)).messages);
    } finally {
      await provider.close();
    }
  });
}

function inLibrary(preset: PresetName, window: number, reserve: number | undefined) {
  const options = { preset, window, ...(reserve !== undefined && { reserve }) };
  return createCompactor(options).compact(messages);
}

test("[F25 F48] the prompt and the size are the preset's unless the command line asks for others", async () => {
  const model = await createModelServer({ reply: () => ({ type: "say", text: "Nothing happened." }) });
  const long = talk(16, 900);
  try {
    await inTemporaryFolder(async (folder) => {
      const file = join(folder, "talk.json");
      writeFileSync(file, JSON.stringify(long));
      const window = baseAt(0.85, tokensOf(long, "hermes"));
      const asked = async (...more: readonly string[]) => {
        const { exitCode } = await runPith([
          ...["compact", file, "--preset", "hermes", "--window", String(window)],
          ...["--summarizer", `${model.url}/v1`, "--summarizer-model", "m", ...more],
        ]);
        expect(exitCode).toBe(0);
        return JSON.stringify(model.requests.at(-1)?.body);
      };
      expect(await asked()).toMatch(/This summary will replace these turns.*Target ~500 tokens\./);
      expect(await asked("--template", "checkpoint", "--summary-tokens", "321")).toMatch(
        /CONTEXT CHECKPOINT COMPACTION.*Target roughly 321 tokens\./,
      );
      const wrong = await runPith(["compact", file, "--target", "30%", "--template", "haiku"]);
      expect([wrong.exitCode !== 0, wrong.stderr]).toEqual([
        true,
        expect.stringContaining("the templates are story"),
      ]);
      const none = await runPith(["compact", file, "--target", "30%", "--summary-tokens", "0"]);
      expect([none.exitCode !== 0, none.stderr]).toEqual([
        true,
        expect.stringContaining("--summary-tokens 0"),
      ]);
    });
  } finally {
    await model.close();
  }
});
