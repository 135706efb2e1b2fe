/** The flags of the gateway; each can also be given as an environment variable. */
import { Command, Option } from "commander";
import { defaultArchive } from "./open-archive.ts";
import { repeatable } from "./summarizer-flags.ts";

/** Adds those that the command does not already have. */
export function gatewayFlags(command: Command): Command {
  const known = new Set(command.options.map(({ long }) => long));
  for (const [flags, description, variable] of FLAGS) {
    const option = (flags.startsWith("--summarizer") ? repeatable : plain)(flags, description).env(variable);
    if (!known.has(option.long ?? undefined)) command.addOption(option);
  }
  return command;
}

/** The gateway's settings from the flags of another command: what was typed, then the environment. */
export function gatewayFlagsIn(command: Command): Record<string, unknown> {
  const gateway = gatewayFlags(new Command()).parse([], { from: "user" });
  const names = gateway.options.map((option) => option.attributeName());
  const typed = names.filter((name) => command.getOptionValueSource(name) === "cli");
  const given = Object.fromEntries(typed.map((name) => [name, command.getOptionValue(name)]));
  return { ...gateway.opts(), ...given };
}

function plain(flags: string, description: string): Option {
  return new Option(flags, description);
}

const FLAGS: readonly (readonly [flags: string, description: string, variable: string])[] = [
  ["--upstream <url...>", "where requests go; use openai=URL anthropic=URL for two", "PITH_UPSTREAM"],
  ["--host <name>", "where to listen (default 127.0.0.1)", "PITH_HOST"],
  ["--port <number>", "the port; 0 takes a free one (default 7483)", "PITH_PORT"],
  ["--allow-host <name...>", "on loopback, a name that your proxy passes on as the Host", "PITH_ALLOW_HOST"],
  ["--tls-cert <file>", "listen with TLS: the certificate and its chain, PEM", "PITH_TLS_CERT"],
  ["--tls-key <file>", "its key, PEM; both are read again when they change, or on SIGHUP", "PITH_TLS_KEY"],
  [
    "--keys <file|none>",
    "who may use it: lines of TENANT SHA256, and a date if the key expires; read again when it changes; needed to listen for other machines, unless it is none",
    "PITH_KEYS",
  ],
  ["--tools <all|recall|none>", "tools to offer to the model (default all)", "PITH_TOOLS"],
  ["--inspect <on|off>", "the page at /inspect that shows what was cut (default on)", "PITH_INSPECT"],
  [
    "--window <tokens|model=tokens...>",
    "the context window of every model, or of single ones, such as claude-*=200000 gpt-5=400k",
    "PITH_WINDOW",
  ],
  ["--reserve <tokens>", "tokens kept free for the answer", "PITH_RESERVE"],
  ["--preset <name>", "when and how to compact (default balanced)", "PITH_PRESET"],
  [
    "--summarizer <none|same|url>",
    "who writes summaries in the background; same is the client's own model; repeat it to ask several in order (default none)",
    "PITH_SUMMARIZER",
  ],
  [
    "--summarizer-model <name>",
    "the model to ask at each address; the keys are in PITH_SUMMARIZER_KEY",
    "PITH_SUMMARIZER_MODEL",
  ],
  ["--template <name>", "the prompt for the summarizers (default the preset's)", "PITH_TEMPLATE"],
  ["--summary-tokens <tokens>", "how long a summary should be (default the preset's)", "PITH_SUMMARY_TOKENS"],
  ["--deadline <duration>", "how long a request waits for its compaction (default 1s)", "PITH_DEADLINE"],
  ["--grace <duration>", "how long it serves requests after SIGTERM (default 5s)", "PITH_GRACE"],
  ["--memory <size>", "what the process should stay below (default 1GB)", "PITH_MEMORY"],
  ["--workers <count>", "threads that compact (default 1)", "PITH_WORKERS"],
  ["--max-body <size>", "the largest body to read (default 64MB)", "PITH_MAX_BODY"],
  [
    "--archive <file|postgres://…|none>",
    `where the originals are kept (default ${defaultArchive})`,
    "PITH_ARCHIVE",
  ],
  ["--config <file>", "the same settings as JSON; flags take precedence", "PITH_CONFIG"],
];
