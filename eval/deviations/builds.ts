/** Builds, as compilers and bundlers print them. */
import { type Make, many, planted, WORDS } from "./case.ts";

const tsc: Make = (dice) => {
  const files = many(
    dice.int(180, 320),
    (index) => `TSFILE: /app/dist/${dice.pick(WORDS)}/${dice.pick(WORDS)}-${index}.js`,
  );
  const place = `src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.ts(${dice.int(10, 400)},${dice.int(1, 60)})`;
  const told = `${place}: error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.`;
  return {
    command: "npx tsc -p . --listEmittedFiles",
    lines: [
      ...planted(
        files,
        dice.inside(files.length),
        told,
        "  Type 'undefined' is not assignable to type 'string'.",
      ),
    ],
    matters: [told],
  };
};

const gcc: Make = (dice) => {
  const total = dice.int(220, 400);
  const lines = many(
    total,
    (index) =>
      `[${index + 1}/${total}] Building C object src/CMakeFiles/core.dir/${dice.pick(WORDS)}_${dice.pick(WORDS)}.c.o`,
  );
  const at = Math.floor(total * 0.7) + dice.int(0, 30);
  const file = `/build/src/${dice.pick(WORDS)}_${dice.pick(WORDS)}.c`;
  const told = `${file}:${dice.int(20, 900)}:${dice.int(2, 40)}: error: implicit declaration of function 'ring_${dice.pick(WORDS)}_push' [-Werror=implicit-function-declaration]`;
  return {
    command: "cmake --build build",
    lines: [
      ...lines.slice(0, at),
      `FAILED: src/CMakeFiles/core.dir/x.c.o`,
      `${file}: In function 'flush':`,
      told,
      "  212 |   ring_push(r, v);",
      "      |   ^~~~~~~~~",
      "cc1: some warnings being treated as errors",
      ...lines.slice(at, at + 3),
      "ninja: build stopped: subcommand failed.",
    ],
    matters: [told],
  };
};

const cargo: Make = (dice) => {
  const lines = many(
    dice.int(220, 330),
    () =>
      `   Compiling ${dice.pick(WORDS)}-${dice.pick(WORDS)} v${dice.int(0, 4)}.${dice.int(0, 30)}.${dice.int(0, 20)}`,
  );
  const code = dice.pick(["E0308", "E0502", "E0382", "E0277"]);
  const place = `crates/${dice.pick(WORDS)}/src/lib.rs:${dice.int(10, 900)}:${dice.int(4, 40)}`;
  return {
    command: "cargo build --release",
    lines: [
      ...lines,
      `error[${code}]: mismatched types`,
      `   --> ${place}`,
      "    |",
      "118 |     let port: u16 = config.port;",
      "    |               ---   ^^^^^^^^^^^ expected `u16`, found `u32`",
      "",
      `For more information about this error, try \`rustc --explain ${code}\`.`,
      "error: could not compile `server` (lib) due to 1 previous error",
    ],
    matters: [`error[${code}]: mismatched types`, place],
  };
};

const go: Make = (dice) => {
  const lines = many(
    dice.int(260, 400),
    () => `github.com/acme/shop/internal/${dice.pick(WORDS)}/${dice.pick(WORDS)}`,
  );
  const told = `internal/${dice.pick(WORDS)}/${dice.pick(WORDS)}.go:${dice.int(12, 400)}:${dice.int(2, 30)}: undefined: store${dice.pick(WORDS)}`;
  return {
    command: "go build -v ./...",
    lines: [...planted(lines, dice.inside(lines.length), `# github.com/acme/shop/internal/cart`, told)],
    matters: [told],
  };
};

const gradle: Make = (dice) => {
  const modules = many(dice.int(50, 70), () => `${dice.pick(WORDS)}-${dice.pick(WORDS)}`);
  const lines = modules.flatMap((module) => [
    `> Task :${module}:compileJava UP-TO-DATE`,
    `> Task :${module}:processResources NO-SOURCE`,
    `> Task :${module}:classes UP-TO-DATE`,
    `> Task :${module}:jar UP-TO-DATE`,
  ]);
  const at = dice.inside(lines.length);
  const told = `> Task :${dice.pick(modules)}:generateProto FROM-CACHE`;
  return {
    command: "./gradlew assemble",
    lines: [
      ...planted(lines, at, told),
      "",
      "BUILD SUCCESSFUL in 41s",
      `${lines.length + 1} actionable tasks: 1 executed, ${lines.length} up-to-date`,
    ],
    matters: [told],
  };
};

const gradleFailed: Make = (dice) => {
  const modules = many(dice.int(75, 95), () => `${dice.pick(WORDS)}-${dice.pick(WORDS)}`);
  const lines = modules.flatMap((module) => [
    `> Task :${module}:compileKotlin`,
    `> Task :${module}:compileJava UP-TO-DATE`,
    `> Task :${module}:classes`,
  ]);
  const module = dice.pick(modules);
  const told = `e: file:///build/${module}/src/main/kotlin/Ledger.kt:${dice.int(10, 300)}:${dice.int(4, 60)} Unresolved reference: ${dice.pick(WORDS)}Total`;
  return {
    command: "./gradlew build",
    lines: [
      ...lines,
      "",
      `> Task :${module}:compileKotlin FAILED`,
      told,
      "",
      "FAILURE: Build failed with an exception.",
      "",
      "* What went wrong:",
      `Execution failed for task ':${module}:compileKotlin'.`,
      "> A failure occurred while executing org.jetbrains.kotlin.compilerRunner.GradleKotlinCompilerWorkAction",
      "",
      "* Try:",
      "> Run with --stacktrace option to get the stack trace.",
      "",
      "BUILD FAILED in 1m 12s",
    ],
    matters: [told],
  };
};

const maven: Make = (dice) => {
  const lines = many(dice.int(70, 90), () => dice.pick(WORDS)).flatMap((module) => [
    `[INFO] --- compiler:3.11.0:compile (default-compile) @ ${module} ---`,
    "[INFO] Nothing to compile - all classes are up to date",
    `[INFO] --- jar:3.3.0:jar (default-jar) @ ${module} ---`,
  ]);
  const told = `/build/${dice.pick(WORDS)}/src/main/java/com/acme/Orders.java:[${dice.int(10, 300)},${dice.int(4, 50)}] cannot find symbol`;
  return {
    command: "mvn -B package",
    lines: [
      ...lines,
      "[INFO] ------------------------------------------------------------------------",
      "[ERROR] COMPILATION ERROR : ",
      "[INFO] -------------------------------------------------------------",
      `[ERROR] ${told}`,
      "[ERROR]   symbol:   method total()",
      "[ERROR]   location: class com.acme.Basket",
      "[INFO] 1 error",
      "[INFO] BUILD FAILURE",
      "[INFO] Total time:  31.204 s",
      "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile (default-compile) on project orders: Compilation failure",
      "[ERROR] -> [Help 1]",
    ],
    matters: [told],
  };
};

const vite: Make = (dice) => {
  const lines = many(dice.int(110, 170), () => {
    const size = dice.int(100, 9_900) / 100;
    return (
      `dist/assets/${dice.pick(WORDS)}-${dice.hex(8)}.js`.padEnd(44) +
      `${size.toFixed(2)} kB │ gzip: ${(size / 3).toFixed(2)} kB`
    );
  });
  const at = dice.inside(lines.length);
  const size = `${dice.int(4, 9)},${dice.int(100, 999)}.${dice.int(10, 99)} kB`;
  const odd = `${`dist/assets/vendor-${dice.hex(8)}.js`.padEnd(44)}${size} │ gzip: 1,402.11 kB`;
  return {
    command: "npx vite build",
    lines: [
      "vite v6.2.0 building for production...",
      "transforming...",
      "✓ 2417 modules transformed.",
      "rendering chunks...",
      ...planted(lines, at, odd),
      "✓ built in 14.31s",
    ],
    matters: [size],
  };
};

const webpack: Make = (dice) => {
  const lines = many(
    dice.int(150, 260),
    () =>
      `asset ${dice.pick(WORDS)}.${dice.hex(20)}.chunk.js ${dice.int(2, 90)}.${dice.int(1, 9)} KiB [emitted] [immutable] [minimized]`,
  );
  const module = `./src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.tsx`;
  const told = `Module not found: Error: Can't resolve '@acme/${dice.pick(WORDS)}-kit' in '/app/src/${dice.pick(WORDS)}'`;
  return {
    command: "npx webpack --mode production",
    lines: [
      ...lines,
      `ERROR in ${module} ${dice.int(1, 20)}:0-52`,
      told,
      "",
      "webpack 5.90.3 compiled with 1 error in 23841 ms",
    ],
    matters: [told],
  };
};

const makeExit: Make = (dice) => {
  const lines = many(dice.int(260, 340), () => `  CC      drivers/${dice.pick(WORDS)}/${dice.pick(WORDS)}.o`);
  const code = dice.pick([130, 137, 143]);
  return {
    command: "make -j8",
    lines: [...lines, `[exit code: ${code}]`],
    matters: [`exit code: ${code}`],
  };
};

const cargoSlow: Make = (dice) => {
  const lines = many(
    dice.int(170, 260),
    (index) =>
      `[${index + 1}] built crate ${dice.pick(WORDS)}_${dice.pick(WORDS)} in ${dice.int(1, 6)}.${dice.int(0, 9)}s`,
  );
  const at = dice.inside(lines.length);
  const slow = `in ${dice.int(300, 900)}.${dice.int(0, 9)}s`;
  return {
    command: "make crates",
    lines: lines.with(at, lines[at]!.replace(/in \S+$/, slow)),
    matters: [slow],
  };
};

export const loudBuilds: readonly Make[] = [tsc, gcc, cargo, gradleFailed, maven, webpack];
export const quietBuilds: readonly Make[] = [go, gradle, vite, makeExit, cargoSlow];
