/** Open errors: of what failed and did not succeed since by the same command, that which is not over in another way. */

import { UNCHANGED } from "../reading/agents/notices.ts";
import { answersFor, type Check, checksIn } from "../reading/calls/checks.ts";
import { lastingIn } from "../reading/calls/lasting.ts";
import { hasTwoLetters } from "../text/letters.ts";
import type { CommandFact, ErrorFact, Ledger } from "./ledger.ts";

export function openErrors(ledger: Ledger): readonly ErrorFact[] {
  return ledger.errors.filter((error) => error.open && !isOver(error, ledger));
}

/**
 * A failure of which no word is known tells nothing. What failed before the last two asks was spoken of since, and what failed before a commit was not in its way: a
 * check that still fails is known by its command. A check is over where another one that says the same passed.
 */
function isOver(error: ErrorFact, ledger: Ledger): boolean {
  const { source, text, at } = error;
  const { commands, latest, asks = [] } = ledger;
  if (!hasTwoLetters(text) || (UNCHANGED.test(text) && wasLeft(error, ledger))) return true;
  if (at < (asks.at(-2) ?? 0) || at < (latest.commit?.at ?? 0)) return true;
  if (checksIn(source).some((check) => passedSince(check, text, at, commands))) return true;
  const tried = namesOf(source);
  const since = commands.filter((each) => each.at > at && each.outcome === "ok");
  return (
    tried.length > 0 && since.some(({ command }) => namesOf(command).some((name) => tried.includes(name)))
  );
}

/** An edit that missed its place did nothing: the turn came to an end without it, or the agent looked again and worked on elsewhere. */
function wasLeft({ source, at }: ErrorFact, { files, latest, asks = [] }: Ledger): boolean {
  if (at < (asks.at(-1) ?? 0)) return true;
  const file = files.find(({ path }) => source.endsWith(` ${path}`));
  return file !== undefined && file.at > at && (latest.edit?.at ?? 0) > file.at;
}

/** What a command does that lasts: `gh pr create` is the same with other arguments. */
function namesOf(command: string): readonly string[] {
  return lastingIn(command, "", false).map(({ name }) => name);
}

/** Whether a check passed after that, by itself or by one that answers for it; `failure` is the line that told its failure. */
export function passedSince(
  check: Check,
  failure: string,
  at: number,
  commands: readonly CommandFact[],
): boolean {
  return commands.some(
    (each) =>
      each.at > at &&
      each.outcome === "ok" &&
      checksOf(each).some((passed) => answersFor(passed, check, failure)),
  );
}

export function checksOf({ command }: CommandFact): readonly Check[] {
  return checksIn(command);
}
