import { expect, test } from "vitest";
import { ArchiveError } from "../../errors/archive-error.ts";
import { archiveFailure, isConflict, isConnectionLost } from "./failure.ts";

const coded = (code: string, message = "as the server says") => Object.assign(new Error(message), { code });

test("says what was done, what was found and what to do, and keeps the original", () => {
  const cause = coded("53100", "could not extend file");
  const error = archiveFailure("postgres://h/d", "storing", cause) as ArchiveError;
  expect(error).toBeInstanceOf(ArchiveError);
  expect(error.message).toBe(
    "postgres://h/d: storing failed: the server's disk is full. Nothing of it was stored. (could not extend file)",
  );
  expect(error.cause).toBe(cause);
  expect(archiveFailure("other", "storing", error)).toBe(error);
});

test("has words for kinds of failures and repeats what it has none for", () => {
  const said = (error: unknown) => archiveFailure("a", "storing", error).message;
  expect(said(coded("28P01"))).toContain("refused the user or the password");
  expect(said(coded("25006"))).toContain("read-only");
  expect(said(new Error("Connection terminated unexpectedly"))).toContain("the connection was lost");
  expect(said(coded("XX000", "odd"))).toBe("a: storing failed: odd");
  expect(said("text")).toBe("a: storing failed: text");
  expect(said(null)).toBe("a: storing failed: null");
  expect(
    said(Object.assign(new AggregateError([new Error("one"), new Error("two")]), { code: "ECONNREFUSED" })),
  ).toContain("nothing listens there. Is the server running, and are host and port right? (one; two)");
});

test("tells lost connections and conflicts from other failures", () => {
  expect(
    [coded("57P01"), coded("08006"), coded("EPIPE"), new Error("Connection terminated")].every(
      isConnectionLost,
    ),
  ).toBe(true);
  expect([coded("23505"), new Error("Connection refused"), undefined, null, "x"].some(isConnectionLost)).toBe(
    false,
  );
  expect([coded("40001"), coded("40P01")].every(isConflict)).toBe(true);
  expect(isConflict(coded("23505"))).toBe(false);
});
