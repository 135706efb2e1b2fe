/** Everything that an archive stores, as text: items after decompression, every row, the terms of its indexes, and the bytes of its files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { unpackText } from "../src/archive/packed-text.ts";
import type { PlantedSecret } from "./planted-secrets.ts";
import type { PostgresServer } from "./postgres-server.ts";

export interface Stored {
  /** By where they are. */
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  readonly words: readonly string[];
  /** Every three characters in a row that an index has; empty where there is no such index. */
  readonly trigrams: readonly string[];
}

/** @param folder has the file of the archive and nothing else */
export function storedInSqlite(folder: string, file: string): Stored {
  const files = filesIn(folder);
  expect(files.map(({ name }) => name)).toContain(`${file.slice(folder.length + 1)}-wal`);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = ["items", "messages", "compactions"].map((name) => {
      const rows = database.prepare(`SELECT hash, codec, bytes FROM ${name}`).all();
      expect(rows.length, name).toBeGreaterThan(0);
      return { name, text: rows.map((row) => unpackText(row as never)!).join("\n") };
    });
    const words = termsIn(database, "words");
    return { texts: [...files, ...tables], words, trigrams: termsIn(database, "fragments") };
  } finally {
    database.close();
  }
}

export async function storedInPostgres(server: PostgresServer, database: string): Promise<Stored> {
  const tables = await server.query(
    database,
    "SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'",
  );
  expect(tables.length).toBeGreaterThan(8);
  const texts: { name: string; text: string }[] = [];
  for (const { name } of tables) {
    const rows = await server.query(database, `SELECT * FROM ${name}`);
    const told = rows.map((row) => ("codec" in row ? unpackText(row as never)! : JSON.stringify(row)));
    texts.push({ name: String(name), text: told.join("\n") });
  }
  const terms = await server.query(database, "SELECT word FROM ts_stat('SELECT terms FROM pith.messages')");
  expect(terms.length).toBeGreaterThan(100);
  await server.query(database, "CHECKPOINT");
  const [{ data_directory: data } = {}] = await server.query(database, "SHOW data_directory");
  const [{ oid } = {}] = await server.query(
    database,
    "SELECT oid FROM pg_database WHERE datname = current_database()",
  );
  const files = filesIn(String(data), new RegExp(`^(?:base/${oid}|pg_wal)/`));
  expect(files.length).toBeGreaterThan(20);
  return { texts: [...texts, ...files], words: terms.map(({ word }) => String(word)), trigrams: [] };
}

/** Every file below a folder, byte by byte. */
function filesIn(folder: string, wanted = /./): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => wanted.test(name))
    .flatMap((name) => {
      const text = bytesOf(join(folder, name));
      return text === undefined ? [] : [{ name, text }];
    });
}

/** None if it is gone by now: a server that runs replaces files of its own, such as a cache of its catalogue. */
function bytesOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function termsIn(database: DatabaseSync, index: string): readonly string[] {
  database.exec(`CREATE VIRTUAL TABLE temp.terms_of_${index} USING fts5vocab(main, ${index}, row)`);
  const rows = database.prepare(`SELECT term FROM temp.terms_of_${index}`).all();
  expect(rows.length).toBeGreaterThan(100);
  return rows.map(({ term }) => String(term));
}

/** Those of which an index has a word of its own, or every three characters in a row. */
export function inIndex<Secret extends PlantedSecret>(
  planted: readonly Secret[],
  { words, trigrams }: Stored,
): readonly Secret[] {
  const [known, runs] = [new Set(words), new Set(trigrams)];
  return planted.filter(({ secret }) => {
    const small = secret.replace(/-----[A-Z ]+-----/g, "").toLowerCase();
    const own = small.split(/[^a-z0-9]+/).filter((word) => /\d/.test(word) && word.length >= 10);
    if (own.some((word) => known.has(word))) return true;
    const bare = small.replace(/\s+/g, "");
    return (
      runs.size > 0 &&
      Array.from({ length: bare.length - 2 }, (_, at) => bare.slice(at, at + 3)).every((run) => runs.has(run))
    );
  });
}
