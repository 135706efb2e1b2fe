/** archiveFailure: what went wrong on the way to a PostgreSQL server, in words that say what to do. */
import { ArchiveError } from "../../errors/archive-error.ts";
import { CompactionError } from "../../errors/compaction-error.ts";

/** Wraps whatever a driver throws; an error of ours passes as it is. */
export function archiveFailure(archive: string, doing: string, error: unknown): CompactionError {
  if (error instanceof CompactionError) return error;
  return new ArchiveError(archive, `${archive}: ${doing} failed: ${reason(error)}`, { cause: error });
}

/** The server or the way to it is gone; another connection may find it again. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return (
    lostCodes.has(code) ||
    code.startsWith("08") ||
    (code === "" &&
      error instanceof Error &&
      /^(Connection terminated|Client has encountered)/.test(error.message))
  );
}

/** Two transactions got in each other's way, and the server undid this one. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === "40001" || codeOf(error) === "40P01";
}

/** SQLSTATE codes of a server that goes down, and codes of Node's sockets. */
const lostCodes = new Set(["57P01", "57P02", "57P03", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** By SQLSTATE or socket code; a code of five characters is also looked up by its class, the first two. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Is the server running, and are host and port right?",
  ENOTFOUND: "the host is not known. Check the name.",
  EAI_AGAIN: "the host's name could not be looked up. Check the name and the network.",
  ETIMEDOUT: "the server did not answer in time.",
  ECONNRESET: "the connection was lost. Nothing is known to be stored; doing it again is safe.",
  EPIPE: "the connection was lost. Nothing is known to be stored; doing it again is safe.",
  "08": "the connection was lost. Nothing is known to be stored; doing it again is safe.",
  "28": "the server refused the user or the password.",
  "3D000": "there is no such database. Create it first.",
  "42501": "the user lacks a right. It needs CREATE on the database, or on a schema that exists already.",
  "53100": "the server's disk is full. Nothing of it was stored.",
  "53300": "the server has no connection left.",
  "57P01": "the server ended the connection. Nothing of it was stored; doing it again is safe.",
  "57P02": "the server crashed and is coming back. Nothing of it was stored; doing it again is safe.",
  "57P03": "the server is starting up or shutting down. Try again in a moment.",
  "25006": "the server is read-only, such as a replica. Name the primary server.",
};

/** What `pg` says of its own timeouts, without a code. */
const SILENT = /^(Query read timeout|timeout e)/i;

function reason(error: unknown): string {
  const said = error instanceof Error ? firstMessage(error) : String(error);
  const code = codeOf(error);
  const help = advice[code] ?? advice[code.slice(0, 2)];
  if (help) return `${help} (${said || code})`;
  if (SILENT.test(said))
    return `${advice.ETIMEDOUT} Nothing is known to be stored; doing it again is safe. (${said})`;
  return isConnectionLost(error) ? `${advice["08"]} (${said})` : said;
}

/** Where a host has several addresses, Node reports one error for all of them with an empty message. */
function firstMessage(error: Error): string {
  if (error.message) return error.message;
  return error instanceof AggregateError
    ? error.errors.map((each) => (each as Error).message).join("; ")
    : error.name;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}
