import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createAccess, oneTimeToken } from "./access.ts";

const withCookie = (cookie: string) => ({ headers: { cookie } }) as IncomingMessage;
const secrets = new Map([
  ["key-a", "ann"],
  ["key-b", "ben"],
]);
const check = (secret: string) => {
  const tenant = secrets.get(secret);
  return tenant === undefined ? undefined : { tenant, stays: () => secrets.has(secret) };
};
const access = (now = { at: 0 }) => createAccess({ cookieName: "c", path: "/", check, clock: () => now.at });
const nameAndValue = (cookie: string | undefined) => cookie!.split(";")[0]!;

test("a visitor is known by the cookie that its own secret gave, among other cookies too", () => {
  const { enter, tenantOf } = access();
  const [ann, ben] = [nameAndValue(enter("key-a")), nameAndValue(enter("key-b"))];
  expect(tenantOf(withCookie(ann))).toBe("ann");
  expect(tenantOf(withCookie(`x=1; ${ben}; y=2`))).toBe("ben");
  expect(enter("key-c")).toBeUndefined();
  for (const wrong of ["", "c=", "c=guessed", `xc=${ann.slice(2)}`, ann.slice(0, -1)])
    expect(tenantOf(withCookie(wrong)), wrong).toBeUndefined();
});

test("a cookie ends after half a day, and no cookie is given twice", () => {
  const now = { at: 0 };
  const { enter, tenantOf } = access(now);
  const cookie = nameAndValue(enter("key-a"));
  now.at = 12 * 3_600_000 - 1;
  expect(tenantOf(withCookie(cookie))).toBe("ann");
  now.at++;
  expect(tenantOf(withCookie(cookie))).toBeUndefined();
  expect(nameAndValue(enter("key-a"))).not.toBe(cookie);
});

test("a visitor whose key is taken away is out", () => {
  const { enter, tenantOf } = access();
  secrets.set("key-of-a-day", "cid");
  const cookie = nameAndValue(enter("key-of-a-day"));
  expect(tenantOf(withCookie(cookie))).toBe("cid");
  secrets.delete("key-of-a-day");
  expect(tenantOf(withCookie(cookie))).toBeUndefined();
});

test("a one-time token lets in once, and a wrong one does not use it up", () => {
  const { token, check } = oneTimeToken("visitor");
  expect(check(`${token}x`)).toBeUndefined();
  expect(check(token)?.tenant).toBe("visitor");
  expect(check(token)).toBeUndefined();
});
