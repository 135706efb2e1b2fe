import { expect, test } from "vitest";
import { commonFolder, folderLine, readFolderLine, withFolder, withoutFolder } from "./file-root.ts";

test("the folder that saves most is the one that most files share, however deep others are", () => {
  const paths = ["/home/me/app/src/a.ts", "/home/me/app/src/b.ts", "/home/me/app/test/c.ts", "/tmp/x.log"];
  expect(commonFolder(paths)).toBe("/home/me/app");
  expect(commonFolder([...paths, ...paths.map((path) => path.replace(/\w\./, "q."))])).toBe("/home/me/app");
  expect(commonFolder(["a", "b", "c", "d"].map((name) => `D:\\app\\src\\${name}.go`))).toBe("D:\\app\\src");
});

test("relative paths, a single file and short folders are not worth it", () => {
  expect(commonFolder(["src/long/folder/a.ts", "src/long/folder/b.ts"])).toBe("");
  expect(commonFolder(["/home/me/app/src/a.ts"])).toBe("");
  expect(commonFolder(["/a/b.ts", "/a/c.ts"])).toBe("");
  expect(commonFolder([])).toBe("");
});

test("a path without the folder is read back with it, and one elsewhere stays as it is", () => {
  for (const path of ["/home/me/app/src/a.ts", "/home/me/apple.ts", "src/a.ts", "…/odd.ts"]) {
    const short = withoutFolder("/home/me/app", path);
    if (path.startsWith("…")) continue;
    expect(withFolder("/home/me/app", short)).toBe(path);
  }
  expect(withoutFolder("/home/me/app", "/home/me/app/src/a.ts")).toBe("…/src/a.ts");
  expect(withoutFolder("D:\\app", "D:\\app\\a.go")).toBe("…\\a.go");
  expect(withFolder("", "…/odd.ts")).toBe("…/odd.ts");
  expect(readFolderLine(folderLine("/home/me/app"))).toBe("/home/me/app");
  expect(readFolderLine("… 3 more files read")).toBeUndefined();
});
