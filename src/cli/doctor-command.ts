/** `pith doctor`: is this installation sound, and what configuration do the flags give? */
import { arch, platform, release } from "node:os";
import { OptionsError } from "../errors/options-error.ts";
import { packageVersion } from "../package-version.ts";
import { modelProfile } from "../tokens/models.ts";
import { compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import type { GatewayFlags } from "./gateway-command.ts";
import { gatewayLines } from "./gateway-lines.ts";
import { policyLines } from "./policy-lines.ts";
import { type Flags, resolveSettings, withoutPassword } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

/** Those of the engine and of the gateway, which takes windows of single models. */
export type DoctorFlags = Omit<Flags, "window"> & { readonly window?: readonly string[] };

export async function doctorCommand(flags: DoctorFlags, gatewayFlags: GatewayFlags): Promise<number> {
  // The agent's own model and the windows of single models are the gateway's alone.
  const { window: windows, ...rest } = flags;
  const summarizer = flags.summarizer?.filter((each) => each !== "same");
  const window = windows?.find((each) => !each.includes("="));
  const settings = resolveSettings({ ...rest, summarizer, ...(window !== undefined && { window }) });
  const { doorCompactor } = await import("../compactor.ts");
  const { createTokenCounter } = await import("../tokens/counter.ts");
  const { policy } = doorCompactor(compactorOptions(settings));
  const known = modelProfile(settings.model).window;
  const shownSettings = {
    ...settings,
    ...(settings.window === undefined && known !== undefined && { window: known }),
    summarizer: settings.summarizer ?? "none",
    archive: withoutPassword(settings.archive),
  };
  const findings = {
    pith: packageVersion(),
    node: process.version,
    platform: `${platform()} ${arch()} ${release()}`,
    encodings: [checkEncoding("o200k_base"), checkEncoding("cl100k_base")],
    settings: shownSettings,
    policy,
    gateway: await gatewayFindings(gatewayFlags),
  };
  await writeStdout(flags.json ? `${JSON.stringify(findings, null, 2)}\n` : readable());
  return exitDone;

  function checkEncoding(encoding: "o200k_base" | "cl100k_base"): { encoding: string; loads: boolean } {
    const counter = createTokenCounter({ encoding });
    return { encoding, loads: counter.text("hello world") === 2 };
  }

  function readable(): string {
    const { encodings, platform: system } = findings;
    return [
      `pith      ${findings.pith}`,
      `node      ${findings.node}`,
      `platform  ${system}`,
      ...encodings.map(
        ({ encoding, loads }) => `encoding  ${encoding}: ${loads ? "loads" : "DOES NOT LOAD"}`,
      ),
      "",
      "settings",
      ...settingLines(shownSettings),
      "",
      `policy ${policy.name}`,
      ...policyLines(policy, settings).map((line) => `  ${line}`),
      "",
      "gateway",
      ...gatewayLines(findings.gateway).map((line) => `  ${line}`),
      "",
    ].join("\n");
  }
}

function settingLines(settings: object): readonly string[] {
  return Object.entries(settings).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : value;
    return `  ${name.padEnd(16)} ${text}`;
  });
}

/** Most people have no gateway: that it has no upstream is no fault. */
async function gatewayFindings(flags: GatewayFlags): Promise<Readonly<Record<string, unknown>>> {
  const { gatewaySettings, shownGatewaySettings } = await import("./gateway-command.ts");
  try {
    return shownGatewaySettings(gatewaySettings(flags));
  } catch (error) {
    const isUnset = error instanceof OptionsError && error.option === "--upstream" && !flags.upstream;
    if (isUnset) return { unset: error.message };
    throw error;
  }
}
