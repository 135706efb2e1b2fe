#!/usr/bin/env node
/** The `pith` program: checks the Node version, then hands over to the commands. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `pith: Node 22.13 or newer is needed, this is ${process.version}. ` +
      "Install a newer Node; inside a clone, `npm ci` brings one and `npx pith` uses it.\n",
  );
  process.exitCode = 2;
} else {
  const { keepHeapLean } = await import("./lean-heap.ts");
  keepHeapLean();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(process.argv);
}
