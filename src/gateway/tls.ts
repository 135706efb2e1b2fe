/** TLS: the certificate and the key that the gateway listens with, read again when their files change. */
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import http, { type RequestListener, type Server, type ServerOptions } from "node:http";
import https from "node:https";
import { createSecureContext } from "node:tls";
import { OptionsError } from "../errors/options-error.ts";
import { reasonOf } from "../errors/reason-of.ts";
import type { Log } from "./log.ts";

/** Paths of PEM files; the certificate's has the chain after it. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Throws OptionsError where they cannot be read, are none, or do not belong together. */
export function readTls({ cert, key }: TlsFiles): Pair {
  const pair = { cert: readPem("--tls-cert", cert), key: readPem("--tls-key", key) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new OptionsError(
      "--tls-cert",
      `--tls-cert ${cert} --tls-key ${key}: ${reasonOf(cause)}. Give the PEM files of a certificate and of its own key.`,
    );
  }
  return pair;
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new OptionsError(flag, `${flag} ${file}: ${(cause as Error).message}.`);
  }
}

/** A server that speaks TLS where it has a certificate, and plain HTTP otherwise. */
export function createListener(
  files: TlsFiles | undefined,
  options: ServerOptions,
  answer: RequestListener,
): Server | https.Server {
  return files
    ? https.createServer({ ...options, ...readTls(files) }, answer)
    : http.createServer(options, answer);
}

/** Looked at by name and not by what the name leads to: mounted secrets are exchanged as a whole folder. */
const LOOK_MS = 2_000;

export interface FollowedTls {
  /** Reads both files now. A pair that cannot be used leaves the one before in use. */
  readonly reload: () => void;
  readonly stop: () => void;
}

/** Connections that are open keep what they began with. */
export function followTls(server: https.Server, files: TlsFiles, log: Log): FollowedTls {
  const reload = (): void => {
    try {
      server.setSecureContext(readTls(files));
      log("info", "tls-reloaded", { cert: files.cert });
    } catch (error) {
      log("error", "tls-unchanged", { reason: reasonOf(error) });
    }
  };
  const names = [files.cert, files.key];
  for (const name of names) watchFile(name, { interval: LOOK_MS, persistent: false }, reload);
  return {
    reload,
    stop: () => {
      for (const name of names) unwatchFile(name, reload);
    },
  };
}
