/** `pith archive list`: the conversations in an archive, newest first. */
import type { ConversationInfo } from "../archive/archive.ts";
import { tenantOfName } from "../archive/tenant.ts";
import { titlesOf } from "../archive/titles.ts";
import { OptionsError } from "../errors/options-error.ts";
import { table } from "../report/table.ts";
import { counted, thousands } from "../tokens/number-words.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface ListFlags {
  readonly archive: string;
  readonly tenant?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

export async function listCommand({ archive, tenant, limit, json }: ListFlags): Promise<number> {
  const most = limit === undefined ? Infinity : rowCount(limit);
  return withGivenArchive(archiveName(archive), async (open) => {
    const all = await open.conversations!();
    const asked = tenant === undefined ? all : all.filter(({ id }) => tenantOfName(id) === tenant);
    const newest = asked.toSorted((one, other) => other.lastAt - one.lastAt).slice(0, most);
    const titles = await titlesOf(
      open,
      newest.map(({ id }) => id),
    );
    const rows = newest.map((each) => ({ ...each, title: titles.get(each.id) }));
    await writeStdout(json ? rows.map(lineOf).join("") : readable(rows));
    const shown = rows.length < asked.length ? `${thousands(rows.length)} of ` : "";
    const [whose, besides] =
      tenant === undefined ? ["", ""] : [` of the tenant ${tenant}`, `, which has ${thousands(all.length)}`];
    writeStderr(`${shown}${counted(asked.length, "conversation")}${whose} in ${open.name}${besides}\n`);
    return exitDone;
  });
}

function rowCount(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new OptionsError("--limit", `--limit ${given}: give how many, 1 or more.`);
}

interface Row extends ConversationInfo {
  readonly title: string | undefined;
}

function lineOf({ id, title, messages, compactions, firstAt, lastAt }: Row): string {
  const [first, last] = [new Date(firstAt).toISOString(), new Date(lastAt).toISOString()];
  return `${JSON.stringify({ conversationId: id, title, tenant: tenantOfName(id), messages, compactions, first, last })}\n`;
}

function readable(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const hasTenants = rows.some(({ id }) => tenantOfName(id) !== undefined);
  const hasTitles = rows.some(({ title }) => title !== undefined);
  const cells = rows.map(({ id, title = "", messages, compactions, lastAt }) => [
    new Date(lastAt).toISOString().slice(0, 16).replace("T", " "),
    String(messages),
    String(compactions),
    ...(hasTenants ? [tenantOfName(id) ?? ""] : []),
    ...(hasTitles ? [shortened(title)] : []),
    id,
  ]);
  const header = [
    "last written",
    "messages",
    "compactions",
    ...(hasTenants ? ["tenant"] : []),
    ...(hasTitles ? ["title"] : []),
    "conversation",
  ];
  return `${table([header, ...cells], { right: [1, 2], width: 400 }).join("\n")}\n`;
}

/** So that the names are still beside it. */
function shortened(title: string): string {
  return title.length > 60 ? `${title.slice(0, 59).trimEnd()}…` : title;
}
