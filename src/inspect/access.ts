/** Access: who may look. A visitor comes in once, by a link or a key, and is known by a cookie from then on. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Access {
  /** Whose conversations a request may see; undefined for nobody's. */
  readonly tenantOf: (incoming: IncomingMessage) => string | undefined;
  /**
   * The cookie that lets a visitor in who brought this; undefined where that is no way in, and "limited" where too many
   * wrong ones came from the same address. Works once for a token.
   *
   * @param from the visitor's address
   */
  readonly enter: (secret: string, from?: string) => Cookie | "limited" | undefined;
}

/** As the header `set-cookie` has it. */
export type Cookie = `${string}=${string}`;

/** Who comes in. */
export interface Entering {
  readonly tenant: string;
  /** Whether what let them in would still do so. */
  readonly stays: () => boolean;
}

export interface AccessOptions {
  /** Cookies know no ports: two inspectors on one machine must not take each other's. */
  readonly cookieName: string;
  /** The path that the inspector is mounted at, such as "/inspect/". */
  readonly path: string;
  /** The tenant that a secret belongs to. */
  readonly check: (secret: string, from?: string) => Entering | "limited" | undefined;
  /** Browsers send the cookie over TLS alone. @default false */
  readonly isSecure?: boolean;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

/** A visitor who comes back the next day comes in again. */
const SESSION_MS = 12 * 60 * 60 * 1000;

/** More visitors than look at once; past that the first has to come in again. */
const MOST_SESSIONS = 1_000;

export function createAccess(options: AccessOptions): Access {
  const { cookieName, path, check, isSecure = false, clock = Date.now } = options;
  const sessions = new Map<string, Entering & { readonly until: number }>();
  return {
    tenantOf: ({ headers }) => {
      const session = cookieOf(headers.cookie ?? "", cookieName);
      const known = session === undefined ? undefined : sessions.get(digest(session).toString("hex"));
      return known && clock() < known.until && known.stays() ? known.tenant : undefined;
    },
    enter: (secret, from) => {
      const entering = check(secret, from);
      if (!entering || entering === "limited") return entering;
      const session = randomBytes(32).toString("base64url");
      if (sessions.size >= MOST_SESSIONS) sessions.delete(sessions.keys().next().value!);
      sessions.set(digest(session).toString("hex"), { ...entering, until: clock() + SESSION_MS });
      return `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=${path}${isSecure ? "; Secure" : ""}`;
    },
  };
}

/** A secret that lets in the first who brings it, and nobody after. */
export function oneTimeToken(tenant: string): {
  readonly token: string;
  readonly check: (secret: string) => Entering | undefined;
} {
  const token = randomBytes(24).toString("base64url");
  const expected = digest(token);
  let isUsed = false;
  return {
    token,
    check: (secret) => {
      if (isUsed || !timingSafeEqual(digest(secret), expected)) return undefined;
      isUsed = true;
      return { tenant, stays: () => true };
    },
  };
}

function cookieOf(header: string, name: string): string | undefined {
  const pair = header.split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Compared and kept as digests, so that time tells nothing. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
