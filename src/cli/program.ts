/** The commands of `pith` and their flags; the work of each is imported only when it runs. */
import { Command, CommanderError } from "commander";
import { CompactionError } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";
import { loadOptional } from "../errors/missing-package-error.ts";
import { packageVersion } from "../package-version.ts";
import { leaveWarningsOut } from "../report/warn-of-failure.ts";
import { archiveCommands } from "./archive-commands.ts";
import { archiveOption } from "./archive-option.ts";
import type { ConvertFlags } from "./convert-command.ts";
import type { DoctorFlags } from "./doctor-command.ts";
import { exitCodes, exitDone, exitFailure, exitUsage } from "./exit-codes.ts";
import type { GatewayFlags } from "./gateway-command.ts";
import { gatewayFlags, gatewayFlagsIn } from "./gateway-flags.ts";
import type { HealthFlags } from "./health-command.ts";
import {
  compactHelp,
  doctorHelp,
  gatewayHelp,
  inspectHelp,
  mcpHelp,
  planHelp,
  recallHelp,
  replayHelp,
  undoHelp,
} from "./help-texts.ts";
import type { InspectFlags } from "./inspect-command.ts";
import { collectInSteps } from "./lean-heap.ts";
import type { McpFlags } from "./mcp-command.ts";
import type { RecallFlags } from "./recall-command.ts";
import type { ReplayFlags } from "./replay-command.ts";
import type { Flags } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { repeatable } from "./summarizer-flags.ts";
import type { UndoFlags } from "./undo-command.ts";
import type { ValidateFlags } from "./validate-command.ts";
import type { VerifyFlags } from "./verify-command.ts";

/** Runs one command line and gives back its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  process.stdout.on("error", endForWantOfStdout);
  process.stderr.on("error", endIfPipeClosed);
  leaveWarningsOut();
  let exitCode = exitDone;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withPercents(argv));
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitDone : exitUsage;
    writeStderr(`pith: ${describe(error)}\n`);
    return error instanceof CompactionError ? exitCodes[error.code] : exitFailure;
  }
}

/** A shell makes two words of `30 %`. */
function withPercents(argv: readonly string[]): readonly string[] {
  const isShare = (at: number): boolean => argv[at] === "%" && /^\d+(\.\d+)?$/.test(argv[at - 1] ?? "");
  return argv.flatMap((word, at) => (isShare(at) ? [] : isShare(at + 1) ? [`${word}%`] : [word]));
}

function createProgram(done: (exitCode: number) => void): Command {
  const program = new Command("pith")
    .description("Keeps an LLM agent inside its context window without making it forget.")
    .version(packageVersion(), "-V, --version", "print the version")
    .exitOverride()
    .showHelpAfterError("(pith --help lists the commands, pith COMMAND --help its flags)");

  sharedFlags(program.command("compact"))
    .description("Make a conversation smaller and still valid. Writes it to stdout, or to -o FILE.")
    .option("--session-log <file>", "append the SESSION_LOG lines of this compaction to a file")
    .option("--dry-run", "print the plan and change nothing")
    .option("--report <file>", "write the report as JSON to a file")
    .option("-o, --output <file>", "write the conversation to a file; never the input file")
    .option("--jsonl", "read one job per line and answer each with one line, in order")
    .option("--json", "print one JSON object: the report, and the conversation unless -o is given")
    .addHelpText("after", compactHelp)
    .action(async (file: string, flags: Flags) => {
      const { compactCommand } = await import("./compact-command.ts");
      done(await compactCommand(file, flags));
    });

  sharedFlags(program.command("plan"))
    .description("Print what compact would do, without doing it.")
    .option("--json", "print the plan as JSON")
    .addHelpText("after", planHelp)
    .action(async (file: string, flags: Flags) => {
      const { planCommand } = await import("./plan-command.ts");
      done(await planCommand(file, flags));
    });

  program
    .command("health")
    .exitOverride()
    .description(
      "Check a conversation: how full and how long it is, what conflicts, is out of date or missing.",
    )
    .argument("[file]", CONVERSATION, "-")
    .option("--format <name>", "its format; see docs/transcripts.md", "auto")
    .option("--model <name>", "the model: picks the tokenizer, and the window if it is known")
    .option("--window <tokens>", "the model's context window")
    .option("--reserve <tokens>", "tokens kept free for the answer")
    .option("--session-log <file>", "append the result as one line to a file")
    .option("--json", "print the result as JSON")
    .action(async (file: string, flags: HealthFlags) => {
      const { healthCommand } = await import("./health-command.ts");
      done(await healthCommand(file, flags));
    });

  program
    .command("validate")
    .exitOverride()
    .description("Check a request against its provider's rules: pairs, order, content, tools, limits.")
    .argument("[file]", CONVERSATION, "-")
    .option("--format <name>", "its format; see docs/transcripts.md", "auto")
    .option("--json", "print the result as JSON")
    .action(async (file: string, flags: ValidateFlags) => {
      const { validateCommand } = await import("./validate-command.ts");
      done(await validateCommand(file, flags));
    });

  program
    .command("convert")
    .exitOverride()
    .description("Convert a session file or a request to a request in another format.")
    .argument("[file]", CONVERSATION, "-")
    .option("--to <name>", "openai, anthropic or responses")
    .option("--format <name>", "its format now; see docs/transcripts.md", "auto")
    .option("-o, --output <file>", "write to a file; never the input file")
    .action(async (file: string, flags: ConvertFlags) => {
      const { convertCommand } = await import("./convert-command.ts");
      done(await convertCommand(file, flags));
    });

  program
    .command("undo")
    .exitOverride()
    .description("Print what a compaction was made of, from what it made: a session file or a request.")
    .argument("[file]", "what pith compact wrote; - is stdin", "-")
    .option("--format <name>", "its format; see docs/transcripts.md", "auto")
    .option("-o, --output <file>", "write to a file; never the input file")
    .option("--json", "print one JSON object: what it was, unless -o is given, and the compaction")
    .addOption(archiveOption())
    .addHelpText("after", undoHelp)
    .action(async (file: string, flags: UndoFlags) => {
      const { undoCommand } = await import("./undo-command.ts");
      done(await undoCommand(file, flags));
    });

  archiveCommands(program, done);

  program
    .command("recall")
    .exitOverride()
    .description("Get originals back from the archive, by a question or by id.")
    .argument("[query]", "a question, in your own words")
    .option(
      "--expand <id>",
      "print the original of an id, raw; ID#7 is turn 7 of a hand-off, ID#7.2 its step 2",
    )
    .option(
      "--max-tokens <count>",
      "with --expand: print what a model would get, at most this many tokens; large originals by their parts",
    )
    .option("--offset <characters>", "with --max-tokens: where to continue; the last page gives the number")
    .option("--conversation <name>", "only in this conversation")
    .option("--tenant <name>", "only in this tenant's conversations")
    .option("--other-branches", "also what was taken back or said in another branch of a conversation")
    .option("--limit <count>", "how many results", "10")
    .option("--json", "print the results as JSON")
    .option("--jsonl [file]", 'read one question per line: {"id", "query", "conversationId"?, "limit"?}')
    .addOption(archiveOption())
    .addHelpText("after", recallHelp)
    .action(async (query: string | undefined, flags: RecallFlags) => {
      const { recallCommand } = await import("./recall-command.ts");
      done(await recallCommand(query, flags));
    });

  program
    .command("replay")
    .exitOverride()
    .description("Replay a recorded conversation under every strategy: what each one costs and forgets.")
    .argument("[file]", CONVERSATION, "-")
    .option("--format <name>", "its format; see docs/transcripts.md", "auto")
    .option("--model <name>", "the model: picks the tokenizer, and the window if it is known")
    .option("--window <tokens>", "the model's context window")
    .option("--reserve <tokens>", "tokens kept free for the answer")
    .option("--prices <file>", "price tables, JSON (default: an Anthropic-like and an OpenAI-like one)")
    .option("--strategy <name...>", "only these strategies")
    .option("--recall", "also measure how much of what the agent used was still in view")
    .option("--plot <file>", "draw the result as SVG")
    .option("--json", "print the result as JSON")
    .addHelpText("after", replayHelp)
    .action(async (file: string, flags: ReplayFlags) => {
      const { replayCommand } = await import("./replay-command.ts");
      done(await replayCommand(file, flags));
    });

  program
    .command("verify")
    .exitOverride()
    .description("Check that every id leads to its original and that nothing is damaged.")
    .option("--json", "print the result as JSON")
    .addOption(archiveOption())
    .action(async (flags: VerifyFlags) => {
      const { verifyCommand } = await import("./verify-command.ts");
      done(await verifyCommand(flags));
    });

  program
    .command("inspect")
    .exitOverride()
    .description("Show conversations and their compactions in the browser: what was cut, and why.")
    .argument("[file]", "a conversation, JSON, or a session file of an agent program (default: the archive)")
    .option("--format <name>", "the format of the file; see docs/transcripts.md", "auto")
    .option("--model <name>", "the model: picks the tokenizer, and the window if it is known")
    .option("--window <tokens>", "the model's context window")
    .option("--reserve <tokens>", "tokens kept free for the answer")
    .option("--preset <name>", "when and how to compact; modifiers joined by +")
    .option("--target <tokens|percent>", "compact the file first, in memory, and show the result")
    .option("--read-only", "disable apply and undo")
    .option("--port <number>", "the port; 0 takes a free one (default 7485)")
    .option("--no-open", "only print the address")
    .option("--export <file>", "write one page that you can send, and serve nothing")
    .option("--conversation <name...>", "only these conversations in the exported page")
    .option("--json", "print the result as JSON")
    .addOption(archiveOption())
    .addHelpText("after", inspectHelp)
    .action(async (file: string | undefined, flags: InspectFlags) => {
      collectInSteps();
      const { inspectCommand } = await import("./inspect-command.ts");
      done(await inspectCommand(file, flags));
    });

  program
    .command("mcp")
    .exitOverride()
    .description("Serve the archive to an MCP client: recall_search and recall_expand.")
    .option("--conversation <name>", "recall from this conversation only")
    .option("--tenant <name>", "recall from this tenant's conversations only")
    .option(
      "--keys <file>",
      "with --http: lines of TENANT SHA256; each key sees its tenant's conversations only",
    )
    .option(
      "--preset <name>",
      "the preset that compacts the conversation; an agent-controlled one adds compress_context",
    )
    .option("--http", "speak streamable HTTP instead of stdin and stdout")
    .option(
      "--host <name>",
      "where to listen; other machines only with a key in PITH_MCP_KEY (default 127.0.0.1)",
    )
    .option("--port <number>", "the port; 0 takes a free one (default 7484)")
    .addOption(archiveOption())
    .addHelpText("after", mcpHelp)
    .action(async (flags: McpFlags) => {
      collectInSteps();
      const { mcpCommand } = await loadOptional(
        "@modelcontextprotocol/server",
        "pith mcp",
        () => import("./mcp-command.ts"),
      );
      done(await mcpCommand(flags));
    });

  gatewayFlags(program.command("gateway").exitOverride())
    .description("Proxy between an agent and its model's API that keeps each conversation inside the window.")
    .addHelpText("after", gatewayHelp)
    .action(async (flags: GatewayFlags) => {
      collectInSteps();
      const { gatewayCommand } = await import("./gateway-command.ts");
      done(await gatewayCommand(flags));
    });

  gatewayFlags(engineFlags(program.command("doctor"), "--window <tokens|model=tokens...>"))
    .description("Check this installation and print the resulting configuration, including the gateway's.")
    .option("--json", "print the result as JSON")
    .addHelpText("after", doctorHelp)
    .action(async (flags: DoctorFlags, command: Command) => {
      const { doctorCommand } = await import("./doctor-command.ts");
      done(await doctorCommand(flags, gatewayFlagsIn(command)));
    });

  return program;
}

const CONVERSATION = "the conversation, JSON, or a session file of an agent program; - is stdin";

function sharedFlags(command: Command): Command {
  return engineFlags(command.argument("[file]", CONVERSATION, "-"));
}

function engineFlags(command: Command, window = "--window <tokens>"): Command {
  return command
    .exitOverride()
    .option(
      "--format <name>",
      "its format: auto, openai, anthropic, responses, or one of docs/transcripts.md",
      "auto",
    )
    .option("--model <name>", "the model: picks the tokenizer, and the window if it is known")
    .option(window, "the model's context window")
    .option("--reserve <tokens>", "tokens kept free for the answer")
    .option(
      "--target <tokens|percent>",
      "hard ceiling: tokens, such as 8000 or 8k, or a share of the input, such as 30%",
    )
    .option("--preset <name>", "when and how to compact; modifiers joined by +", "balanced")
    .addOption(
      repeatable(
        "--summarizer <none|url>",
        "who writes the summary; repeat it to ask several in order (default none)",
      ),
    )
    .addOption(repeatable("--summarizer-model <name>", "the model to ask at each summarizer's address"))
    .option(
      "--handoff <bare>",
      "the prefix and the summary alone, with nothing around it (default the preset's)",
    )
    .option("--template <name>", "the prompt for the summarizer (default the preset's)")
    .option("--summary-tokens <tokens>", "how long the summary should be (default the preset's)")
    .addOption(archiveOption());
}

/** A reader that goes away (`| head`) is not a failure. */
function endIfPipeClosed({ code }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit(exitDone);
}

function endForWantOfStdout(error: NodeJS.ErrnoException): void {
  endIfPipeClosed(error);
  const reason = error.code ?? error.message;
  writeStderr(`pith: stdout cannot be written (${reason}). What it got is not complete.\n`);
  process.exit(exitFailure);
}

function describe(error: unknown): string {
  if (error instanceof InputError && error.place.line !== undefined) {
    const { line, column } = error.place;
    const place = `line ${line}${column === undefined ? "" : `, column ${column}`}`;
    return error.message.includes(place) ? error.message : `${error.message} (${place})`;
  }
  if (error instanceof CompactionError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
