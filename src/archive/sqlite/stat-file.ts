/** statFile: what an archive file holds, in numbers. */
import { statSync } from "node:fs";
import type { ArchiveStat } from "../archive.ts";
import type { Sql } from "./connection.ts";
import { storedBytes } from "./forget.ts";

/** The version whose conversations may be about others; a file that is only read may be older. */
const WITH_ABOUT = 3;

export function statFile(sql: Sql, file: string): ArchiveStat {
  const name =
    Number(sql("PRAGMA user_version").get()!.user_version) < WITH_ABOUT ? "id" : "coalesce(about, id)";
  const { items, forgotten } = sql(
    "SELECT count(*) - count(forgotten_at) AS items, count(forgotten_at) AS forgotten FROM items",
  ).get()!;
  const held = sql(
    `SELECT ${name} AS name, sum(
         (SELECT total(length(bytes)) FROM messages WHERE conversation = conversations.number)
       + (SELECT total(length(bytes)) FROM compactions WHERE conversation = conversations.number)
       + (SELECT total(length(items.bytes)) FROM owners JOIN items ON items.number = owners.item
            WHERE owners.conversation = conversations.number)) AS bytes
     FROM conversations GROUP BY name`,
  ).all();
  return {
    items: Number(items),
    forgotten: Number(forgotten),
    contentBytes: storedBytes(sql),
    storedBytes: sizeOf(file) + sizeOf(`${file}-wal`),
    bytesOf: new Map(held.map(({ name, bytes }) => [String(name), Number(bytes)])),
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
