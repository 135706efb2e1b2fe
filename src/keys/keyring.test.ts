import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createKeyring } from "./keyring.ts";
import { readKeys } from "./read-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fileOf = (...lines: readonly string[]): string => {
  const file = join(folder, `keys-${files++}`);
  writeFileSync(file, lines.join("\n"));
  return file;
};
const line = (tenant: string, key: string, until = ""): string =>
  `${tenant} ${createHash("sha256").update(key).digest("hex")} ${until}`;

/** A clock that the test moves. */
const clockAt = (start: number) => {
  let now = start;
  const pass = (ms: number): void => {
    now += ms;
  };
  return { clock: () => now, pass };
};

test("a tenant is known by any of its keys, and by no other", () => {
  const ring = createKeyring(
    fileOf(line("a", "one"), "# a comment", "", line("a", "two"), line("b", "three")),
  );
  const tenantOf = (key: unknown) => {
    const admitted = ring.admit(key);
    return "tenant" in admitted ? admitted.tenant : admitted.refused;
  };
  expect(["one", "two", "three", "four", "", undefined, 7].map(tenantOf)).toEqual([
    ...["a", "a", "b"],
    ...["unknown", "unknown", "unknown", "unknown"],
  ]);
  expect(ring.tenants()).toEqual(["a", "b"]);
});

test("a key ends at its date, and whoever came in with it is out", () => {
  const { clock, pass } = clockAt(Date.parse("2027-01-31T23:00:00Z"));
  const ring = createKeyring(fileOf(line("a", "one", "2027-02-01")), { clock });
  const admitted = ring.admit("one");
  expect(admitted).toMatchObject({ tenant: "a" });
  pass(2 * 3_600_000);
  expect(ring.admit("one")).toEqual({ refused: "unknown" });
  expect("stays" in admitted && admitted.stays()).toBe(false);
});

test("the file is read again when it changes; one that cannot be read leaves the keys as they were", () => {
  const { clock, pass } = clockAt(1_000_000);
  const faults: string[] = [];
  const file = fileOf(line("a", "one"));
  const ring = createKeyring(file, { clock, onFault: (reason) => faults.push(reason) });
  writeFileSync(file, `${line("b", "another one")}\n`);
  expect(ring.admit("one")).toMatchObject({ tenant: "a" });
  pass(1_500);
  expect(ring.admit("one")).toEqual({ refused: "unknown" });
  expect(ring.admit("another one")).toMatchObject({ tenant: "b" });
  rmSync(file);
  pass(1_500);
  expect(ring.admit("another one")).toMatchObject({ tenant: "b" });
  expect(faults).toHaveLength(1);
  pass(1_500);
  ring.admit("another one");
  expect(faults).toHaveLength(1);
});

test("the last key is revoked by an emptied file, and comes back with its line", () => {
  const { clock, pass } = clockAt(1_000_000);
  const faults: string[] = [];
  const file = fileOf(line("a", "one"));
  const ring = createKeyring(file, { clock, onFault: (reason) => faults.push(reason) });
  const admitted = ring.admit("one");
  writeFileSync(file, "# nobody\n");
  pass(1_500);
  expect(ring.admit("one")).toEqual({ refused: "unknown" });
  expect("stays" in admitted && admitted.stays()).toBe(false);
  expect(ring.tenants()).toEqual([]);
  expect(faults).toEqual([expect.stringContaining("no key in it")]);
  writeFileSync(file, line("a", "one"));
  pass(1_500);
  expect(ring.admit("one")).toMatchObject({ tenant: "a" });
});

test("a wrong line is said and left out; what else was changed with it counts", () => {
  const { clock, pass } = clockAt(1_000_000);
  const faults: string[] = [];
  const file = fileOf(line("a", "removed"), line("b", "kept"));
  const ring = createKeyring(file, { clock, onFault: (reason) => faults.push(reason) });
  writeFileSync(file, [line("b", "kept"), "c 12", line("d", "added"), "e"].join("\n"));
  pass(1_500);
  expect(ring.admit("removed")).toEqual({ refused: "unknown" });
  expect(ring.admit("kept")).toMatchObject({ tenant: "b" });
  expect(ring.admit("added")).toMatchObject({ tenant: "d" });
  expect(faults).toEqual([expect.stringContaining("line 2:"), expect.stringContaining("line 4:")]);
});

test("who guesses is stopped; a right key is let in from the same address, also one that never came before", () => {
  const { clock, pass } = clockAt(1_000_000);
  const ring = createKeyring(fileOf(line("a", "right")), { clock });
  for (let at = 0; at < 20; at++)
    expect(ring.admit(`guess ${at}`, "10.0.0.1")).toEqual({ refused: "unknown" });
  expect(ring.admit("one more", "10.0.0.1")).toEqual({ refused: "limited" });
  expect(ring.admit("right", "10.0.0.1")).toMatchObject({ tenant: "a" });
  expect(ring.admit("one more", "10.0.0.1")).toEqual({ refused: "limited" });
  expect(ring.admit("one more", "10.0.0.2")).toEqual({ refused: "unknown" });
  pass(61_000);
  expect(ring.admit("never right", "10.0.0.1")).toEqual({ refused: "unknown" });
});

test("right keys are not counted as wrong ones", () => {
  const ring = createKeyring(fileOf(line("a", "right")));
  for (let at = 0; at < 19; at++) ring.admit(`guess ${at}`, "10.0.0.1");
  for (let at = 0; at < 20; at++) ring.admit("right", "10.0.0.1");
  expect(ring.admit("the last that may be wrong", "10.0.0.1")).toEqual({ refused: "unknown" });
});

test("a file with a wrong line, a wrong date or no key is refused", () => {
  for (const lines of [["a 12"], [line("a", "x", "soon")], ["# nobody"], [line("a/b", "x")]]) {
    expect(() => readKeys(fileOf(...lines))).toThrow("--keys");
  }
  expect(readKeys(fileOf(line("*", "x")))[0]?.tenant).toBe("*");
});
