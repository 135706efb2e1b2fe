/** `pith archive stat`: how much is in an archive, in all and by tenant. */
import type { Archive, ConversationInfo } from "../archive/archive.ts";
import { tenantOfName } from "../archive/tenant.ts";
import { table } from "../report/table.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { printedBytes } from "./quantities.ts";
import { archiveName } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export interface StatFlags {
  readonly archive: string;
  readonly json?: boolean;
}

/** Of some conversations. */
interface Sum {
  readonly conversations: number;
  readonly messages: number;
  readonly compactions: number;
  readonly contentBytes: number;
  readonly oldest?: string;
  readonly newest?: string;
}

interface Told extends Sum {
  readonly archive: string;
  readonly items: number;
  readonly forgotten: number;
  readonly storedBytes: number;
  readonly tenants?: Readonly<Record<string, Sum>>;
}

export function statCommand({ archive, json }: StatFlags): Promise<number> {
  return withGivenArchive(archiveName(archive), async (open) => {
    const told = await statOf(open);
    await writeStdout(json ? `${JSON.stringify(told)}\n` : readable(told));
    return exitDone;
  });
}

async function statOf(archive: Archive): Promise<Told> {
  const { bytesOf, items, forgotten, contentBytes, storedBytes } = await archive.stat!();
  const all = await archive.conversations!();
  const byTenant = Map.groupBy(all, ({ id }) => tenantOfName(id));
  byTenant.delete(undefined);
  const tenants = [...byTenant].map(([tenant, rows]) => [tenant, sumOf(rows, bytesOf)] as const);
  return {
    archive: archive.name,
    ...sumOf(all, bytesOf),
    items,
    forgotten,
    contentBytes,
    storedBytes,
    ...(tenants.length > 0 && { tenants: Object.fromEntries(tenants) }),
  };
}

function sumOf(rows: readonly ConversationInfo[], bytesOf: ReadonlyMap<string, number>): Sum {
  const total = (size: (row: ConversationInfo) => number): number =>
    rows.reduce((sum, row) => sum + size(row), 0);
  return {
    conversations: rows.length,
    messages: total(({ messages }) => messages),
    compactions: total(({ compactions }) => compactions),
    contentBytes: total(({ id }) => bytesOf.get(id) ?? 0),
    ...(rows.length > 0 && {
      oldest: timeOf(rows.reduce((first, { firstAt }) => Math.min(first, firstAt), Infinity)),
      newest: timeOf(rows.reduce((last, { lastAt }) => Math.max(last, lastAt), -Infinity)),
    }),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function readable(told: Told): string {
  const { archive, conversations, messages, compactions, items, forgotten, oldest, newest, tenants } = told;
  const lines = [
    ["archive", archive],
    ["conversations", String(conversations)],
    ["messages", String(messages)],
    ["compactions", String(compactions)],
    ["items", `${items}${forgotten > 0 ? `, and ${forgotten} erased on purpose` : ""}`],
    ["content", `${printedBytes(told.contentBytes)} (what retain --max-size measures)`],
    ["on disk", printedBytes(told.storedBytes)],
    ...(oldest && newest ? [["written", `${oldest} to ${newest}`]] : []),
  ];
  return `${[...table(lines, { width: 400 }), ...(tenants ? ["", ...tenantLines(tenants)] : [])].join("\n")}\n`;
}

function tenantLines(tenants: Readonly<Record<string, Sum>>): readonly string[] {
  const rows = Object.entries(tenants)
    .sort(([, one], [, other]) => other.contentBytes - one.contentBytes)
    .map(([tenant, { conversations, messages, compactions, contentBytes, newest = "" }]) => [
      tenant,
      ...[conversations, messages, compactions].map(String),
      printedBytes(contentBytes),
      newest.slice(0, 16).replace("T", " "),
    ]);
  const header = ["tenant", "conversations", "messages", "compactions", "content", "last written"];
  return table([header, ...rows], { right: [1, 2, 3, 4], width: 400 });
}
