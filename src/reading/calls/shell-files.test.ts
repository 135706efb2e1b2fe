import { expect, test } from "vitest";
import { shellFiles } from "./shell-files.ts";

function told(script: string, folder = ""): readonly string[] {
  return shellFiles(script, () => folder).map(({ kind, path, to, ifKnown }) =>
    [kind, path, to, ifKnown ? "?" : undefined].filter(Boolean).join(" "),
  );
}

test.each([
  ["rm a.ts b.ts", ["delete a.ts", "delete b.ts"]],
  ["rm -rf build", ["delete build ?"]],
  ["rm a.ts || true", ["delete a.ts ?"]],
  ["git rm a.ts", ["delete a.ts"]],
  ["git rm --cached a.ts", []],
  ["git mv a.ts b.ts", ["move a.ts b.ts"]],
  ["mv a.ts b.ts lib/", ["move a.ts lib/a.ts", "move b.ts lib/b.ts"]],
  ["mv a.ts lib", ["move a.ts lib/a.ts"]],
  ["mv src lib", ["move src lib ?"]],
  ["mv a.ts", []],
  ["cp a.ts b.ts", ["create b.ts"]],
  ["cp -r a b", []],
  ["touch 'my file.txt'", ["create my file.txt"]],
  ["echo hi > a.txt", ["create a.txt"]],
  ["echo hi >> a.txt", ["edit a.txt"]],
  ["npm test > /dev/null 2>&1", []],
  ["npm test 2> err.log &> all.log", ["create all.log"]],
  ["echo x | sudo tee -a /etc/hosts", ["edit /etc/hosts"]],
  ["echo x | tee a b", ["create a", "create b"]],
  ["sed -i 's/a/b/' x.ts y.ts", ["edit x.ts", "edit y.ts"]],
  ["sed -i '' -e 's/a/b/' x.ts", ["edit x.ts"]],
  ["sed -n '1,20p' x.ts | head -5", ["read x.ts"]],
  ["sed 's/a/b/' x.ts", []],
  ["cat a.ts b.ts | grep x", ["read a.ts", "read b.ts"]],
  ["head -n 20 a.ts; tail -5 b.ts", ["read a.ts", "read b.ts"]],
  ["cat a.ts 2>/dev/null", []],
  ["cat $FILE *.ts `ls` $(find . -name x) {a,b}.ts", []],
  ["cat <(sort a.ts) < in.txt <<< word", []],
  ["cd web && cat src/a.js && cd ../api && cat b.go", ["read web/src/a.js", "read api/b.go"]],
  ["cd $DIR && rm a.ts /tmp/b.ts", ["delete /tmp/b.ts"]],
  ["for f in *.ts; do rm a.ts; done", []],
  ["if test -f a; then rm a; fi", []],
  ["false || rm a.ts", []],
  ["(rm a.ts) && echo done # rm b.ts", ["delete a.ts"]],
  ["rm a\\ b.ts \\\n c.ts", ["delete a b.ts", "delete c.ts"]],
  ['rm "a \\"b\\".ts" "$HOME/c.ts"', ['delete a "b".ts']],
  ["CI=1 env rm a.ts", ["delete a.ts"]],
  ["cat > a.py <<'EOF'\nrm x.ts\nEOF\nrm y.ts", ["create a.py", "delete y.ts"]],
  ["cat <<-END >> a.txt\n\tx > y\n\tEND", ["edit a.txt"]],
  ["cat <<EOF > a.txt\nnever closed > b.txt", ["create a.txt"]],
  ["echo 'unclosed > a.txt", []],
])("[R36] %s", (script, expected) => {
  expect(told(script)).toEqual(expected);
});

test("a folder that a script deletes and makes again, by itself or with one in it, is known to be there", () => {
  const remade = (script: string) => shellFiles(script).map(({ path, remade }) => [path, remade ?? false]);
  expect(remade("cd /tmp && rm -rf site && mkdir -p site && cd site")).toEqual([["/tmp/site", true]]);
  expect(remade("rm -rf site /srv/www && mkdir -p site/a/b /srv/www/x")).toEqual([
    ["site", true],
    ["/srv/www", true],
  ]);
  expect(remade("rm -rf site/a && mkdir -p site site/ab")).toEqual([["site/a", false]]);
  expect(remade("mkdir site; rm -rf site build")).toEqual([
    ["site", false],
    ["build", false],
  ]);
});

test("a working folder is where relative names stand", () => {
  expect(told("cat a.ts ../b.ts /c.ts", "/w/x")).toEqual(["read /w/x/a.ts", "read /w/b.ts", "read /c.ts"]);
});

test.each(["a", " ", "-", "界", "rm '", "$(", "<<E ", ">", "cat `", "rm \\", "&|;()<"])(
  "bears a megabyte of %j",
  (piece) => {
    expect(shellFiles(`rm ${piece.repeat(Math.ceil(1_000_000 / piece.length))}`).length).toBeLessThan(60_000);
  },
);
