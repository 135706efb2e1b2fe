import { expect, test } from "vitest";
import { OptionsError } from "../../errors/options-error.ts";
import { poolName, serverName } from "./server-name.ts";

test("says where a server is, without user and password", () => {
  expect(serverName("postgres://ann:secret@db.example:5433/notes?sslmode=require")).toBe(
    "postgres://db.example:5433/notes",
  );
  expect(serverName("postgresql://localhost/a%20b")).toBe("postgres://localhost/a b");
  expect(serverName("postgres:///notes")).toBe("postgres://localhost/notes");
  expect(poolName({ host: "h", port: 1, database: "d", password: "secret" })).toBe("postgres://h:1/d");
  expect(poolName({ connectionString: "postgres://u:secret@h/d" })).toBe("postgres://h/d");
  expect(poolName({})).toBe("postgres://localhost/");
});

test("refuses what is no address, without repeating it", () => {
  const urls = [
    "",
    "secret",
    "mysql://u:secret@h/d",
    "postgres://u:sec/ret@h/d",
    "postgres://u:12/secret@h/d",
    "postgres://u:1#secret@h/d",
  ];
  for (const url of urls) {
    const error = (() => {
      try {
        return serverName(url);
      } catch (reason) {
        return reason;
      }
    })();
    expect(error).toBeInstanceOf(OptionsError);
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).cause}`).not.toMatch(/secret|sec\/ret/);
  }
});
