/** The commands of `pith archive` and their flags; the work of each is imported only when it runs. */
import type { Command } from "commander";
import { archiveOption } from "./archive-option.ts";
import type { BackupFlags } from "./backup-command.ts";
import type { ForgetFlags } from "./forget-command.ts";
import { importHelp } from "./help-texts.ts";
import type { ImportFlags } from "./import-command.ts";
import type { LessonsFlags } from "./lessons-command.ts";
import type { ListFlags } from "./list-command.ts";
import type { RetainFlags } from "./retain-command.ts";
import type { StatFlags } from "./stat-command.ts";

export function archiveCommands(program: Command, done: (exitCode: number) => void): void {
  const archive = program
    .command("archive")
    .exitOverride()
    .description("See what is in an archive, fill it, copy it, erase from it.");
  archive
    .command("import")
    .exitOverride()
    .description(
      "Put whole conversations into the archive without compacting them. Again, it adds what is new.",
    )
    .argument(
      "[paths...]",
      "session files of agent programs, conversations as JSON, folders of them; - is stdin (default -)",
    )
    .option("--jsonl", 'read one conversation per line: {"id", "messages"}')
    .option(
      "--conversation <name>",
      "the name of a single one (default: the session's id, or the file's full path)",
    )
    .option(
      "--format <name>",
      "auto, openai, anthropic, responses, or a session file's (docs/transcripts.md)",
      "auto",
    )
    .addOption(archiveOption())
    .addHelpText("after", importHelp)
    .action(async (paths: readonly string[], flags: ImportFlags) => {
      const { importCommand } = await import("./import-command.ts");
      done(await importCommand(paths, flags));
    });
  archive
    .command("list")
    .exitOverride()
    .description("List the conversations in the archive, newest first.")
    .option("--tenant <name>", "only those of this tenant")
    .option("--limit <count>", "the newest so many (default all)")
    .option("--json", "print one JSON object per line")
    .addOption(archiveOption())
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import("./list-command.ts");
      done(await listCommand(flags));
    });
  archive
    .command("stat")
    .exitOverride()
    .description("Say how much is in the archive, in all and by tenant.")
    .option("--json", "print the numbers as JSON")
    .addOption(archiveOption())
    .action(async (flags: StatFlags) => {
      const { statCommand } = await import("./stat-command.ts");
      done(await statCommand(flags));
    });
  archive
    .command("retain")
    .exitOverride()
    .description("Erase old conversations permanently, by age and by size.")
    .option("--before <age|date>", "those that nothing was written to since: 90d, 12h, 2026-01-31")
    .option("--max-size <size>", "then the longest untouched, until the contents take no more: 500MB, 5GB")
    .option("--dry-run", "say what would go and erase nothing")
    .addOption(archiveOption())
    .action(async (flags: RetainFlags) => {
      const { retainCommand } = await import("./retain-command.ts");
      done(await retainCommand(flags));
    });
  archive
    .command("backup")
    .exitOverride()
    .description("Copy an archive file while others use it.")
    .argument("<file>", "the copy; there must be no such file yet")
    .addOption(archiveOption())
    .action(async (file: string, flags: BackupFlags) => {
      const { backupCommand } = await import("./backup-command.ts");
      done(await backupCommand(file, flags));
    });
  archive
    .command("forget")
    .exitOverride()
    .description("Erase a conversation, all that is of a tenant, or single originals, permanently.")
    .argument("[ids...]", "the ids of originals, pith:…")
    .option("--conversation <name>", "the conversation, with everything stored for it")
    .option("--tenant <name>", "every conversation of this tenant, with everything stored for them")
    .addOption(archiveOption())
    .action(async (ids: readonly string[], flags: ForgetFlags) => {
      const { forgetCommand } = await import("./forget-command.ts");
      done(await forgetCommand(ids, flags));
    });
  archive
    .command("lessons")
    .exitOverride()
    .description("Show what adaptive salience has learned from recalls, or make it forget.")
    .option("--conversation <name>", "only this conversation")
    .option("--reset", "forget what was learned, and show what was forgotten")
    .option("--json", "print the lessons as JSON; a compactor can start from them")
    .addOption(archiveOption())
    .action(async (flags: LessonsFlags) => {
      const { lessonsCommand } = await import("./lessons-command.ts");
      done(await lessonsCommand(flags));
    });
}
