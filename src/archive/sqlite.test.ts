import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testArchive } from "../testing/test-archive.ts";
import { sqliteArchive } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}`, "archive.sqlite");

testArchive("sqlite", { create: () => sqliteArchive({ file: newFile() }) }, { test, expect });
