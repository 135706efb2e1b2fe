/** Test runs, as the common runners print them. */
import { type Dice, type Make, many, planted, WORDS } from "./case.ts";

const VERBS =
  "accepts adds applies builds caches checks closes copies counts drops emits encodes escapes filters finds folds formats keeps lists loads maps merges parses reads rejects renders retries returns rounds saves sends sorts splits stops stores trims updates uses waits writes".split(
    " ",
  );
const THINGS =
  "a comma|an empty list|nested groups|the last page|the first match|dates in winter|two currencies|a closed socket|quoted cells|unknown keys|very long names|zero amounts|the default locale|several tabs|a missing header|old sessions|duplicate ids".split(
    "|",
  );

function sentence(dice: Dice): string {
  return `${dice.pick(VERBS)} ${dice.pick(THINGS)} ${dice.pick(["", "of an order ", "in a cart ", "for guests "])}`.trim();
}

const jest: Make = (dice) => {
  const suites = many(dice.int(14, 20), (index) => [
    `PASS src/${dice.pick(WORDS)}/${dice.pick(WORDS)}-${index}.test.ts`,
    `  ${dice.pick(WORDS)}`,
    ...many(14, () => `    ✓ ${sentence(dice)} (${dice.int(1, 40)} ms)`),
  ]);
  const [expected, received] = [dice.int(100, 900), dice.int(1_000, 9_000)];
  const name = sentence(dice);
  const file = `src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.test.ts`;
  const place = `${file}:${dice.int(12, 300)}:${dice.int(5, 30)}`;
  return {
    command: "npx jest --verbose",
    lines: [
      ...suites.flat(),
      `FAIL ${file}`,
      "  totals",
      `    ✕ ${name} (6 ms)`,
      "",
      `  ● totals › ${name}`,
      "",
      "    expect(received).toBe(expected) // Object.is equality",
      "",
      `    Expected: ${expected}`,
      `    Received: ${received}`,
      "",
      "      41 |     const sum = total(cart);",
      "    > 42 |     expect(sum).toBe(target);",
      "         |                 ^",
      "",
      `      at Object.<anonymous> (${place})`,
      "",
      `Test Suites: 1 failed, ${suites.length} passed, ${suites.length + 1} total`,
      `Tests:       1 failed, ${suites.length * 14} passed, ${suites.length * 14 + 1} total`,
      "Snapshots:   0 total",
      "Time:        9.214 s",
    ],
    matters: [name, `Expected: ${expected}`, `Received: ${received}`, place],
  };
};

const vitestSlow: Make = (dice) => {
  const lines = many(
    dice.int(190, 280),
    () =>
      ` ✓ src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.test.ts > ${dice.pick(WORDS)} > ${sentence(dice)} ${dice.int(1, 30)}ms`,
  );
  const at = dice.inside(lines.length);
  const slow = `${dice.int(14_000, 29_000)}ms`;
  return {
    command: "npx vitest run --reporter=verbose",
    lines: [
      ...lines.with(at, lines[at]!.replace(/\d+ms$/, slow)),
      "",
      ` Test Files  40 passed (40)`,
      `      Tests  ${lines.length} passed (${lines.length})`,
      "   Duration  31.20s",
    ],
    matters: [slow],
  };
};

const vitest: Make = (dice) => {
  const lines = many(
    dice.int(150, 240),
    () =>
      ` ✓ src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.test.ts (${dice.int(2, 30)} tests) ${dice.int(4, 90)}ms`,
  );
  const name = `${dice.pick(WORDS)} > ${sentence(dice)}`;
  const file = `src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.test.ts`;
  const told = `AssertionError: expected ${dice.int(2, 99)} to be ${dice.int(100, 999)} // Object.is equality`;
  const place = `${file}:${dice.int(10, 200)}:${dice.int(4, 40)}`;
  return {
    command: "npx vitest run",
    lines: [
      ...lines,
      "",
      "⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯",
      "",
      ` FAIL  ${file} > ${name}`,
      told,
      "",
      "- Expected",
      "+ Received",
      "",
      "- 118",
      "+ 17",
      "",
      ` ❯ ${place}`,
      "     61|     const found = walk(tree);",
      "     62|     expect(found).toBe(118);",
      "       |                   ^",
      "",
      ` Test Files  1 failed | ${lines.length} passed (${lines.length + 1})`,
      "      Tests  1 failed | 2210 passed (2211)",
    ],
    matters: [name, told, place],
  };
};

const mocha: Make = (dice) => {
  const lines = many(dice.int(320, 400), (index) =>
    index % 12 === 0 ? `  ${dice.pick(WORDS)} ${dice.pick(WORDS)}` : `    ✔ ${sentence(dice)}`,
  );
  const name = sentence(dice);
  const place = `test/${dice.pick(WORDS)}.spec.js:${dice.int(10, 300)}:${dice.int(8, 30)}`;
  return {
    command: "npx mocha",
    lines: [
      ...planted(lines, dice.inside(lines.length), `    1) ${name}`),
      "",
      "",
      `  ${lines.length - 20} passing (2s)`,
      "  1 failing",
      "",
      "  1) ledger",
      `       ${name}:`,
      "",
      "      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      "      + expected - actual",
      "",
      "      -42",
      "      +41",
      "      ",
      `      at Context.<anonymous> (${place})`,
      "      at process.processImmediate (node:internal/timers:483:21)",
    ],
    matters: [name, "-42", "+41", place],
  };
};

const pytest: Make = (dice) => {
  const lines = many(
    dice.int(170, 260),
    (index) =>
      `tests/test_${dice.pick(WORDS)}.py::test_${dice.pick(WORDS)}_${dice.pick(WORDS)}_${index} PASSED [${String(Math.min(99, Math.floor(index / 2.4))).padStart(3)}%]`,
  );
  const id = `tests/test_${dice.pick(WORDS)}.py::test_${dice.pick(WORDS)}_totals`;
  const told = `assert ${dice.int(10, 99)}.5 == ${dice.int(100, 999)}.25`;
  const place = `${id.split("::")[0]}:${dice.int(12, 300)}: AssertionError`;
  return {
    command: "python -m pytest -v",
    lines: [
      "============================= test session starts ==============================",
      `platform linux -- Python 3.12.3, pytest-8.2.0`,
      `collected ${lines.length + 1} items`,
      "",
      ...planted(lines, dice.inside(lines.length), `${id} FAILED [ 51%]`),
      "",
      "=================================== FAILURES ===================================",
      `______________________________ ${id.split("::")[1]} ______________________________`,
      "",
      "    def test_totals():",
      "        order = build()",
      `>       ${told.replace("assert ", "assert order.total == ")}`,
      `E       ${told}`,
      `E        +  where ${dice.int(10, 99)}.5 = <Order 7>.total`,
      "",
      place,
      "=========================== short test summary info ============================",
      `FAILED ${id} - ${told}`,
      `================== 1 failed, ${lines.length} passed in 14.03s ===================`,
    ],
    matters: [id, told, place],
  };
};

const pytestSkips: Make = (dice) => {
  const lines = many(
    dice.int(190, 280),
    (index) =>
      `tests/test_${dice.pick(WORDS)}.py::test_${dice.pick(WORDS)}_${index} PASSED [${String(Math.min(99, Math.floor(index / 2.9))).padStart(3)}%]`,
  );
  const at = dice.inside(lines.length);
  const told = `test_migrates_${dice.pick(WORDS)} SKIPPED (needs a database)`;
  return {
    command: "python -m pytest -v",
    lines: [
      "============================= test session starts ==============================",
      ...planted(lines, at, `tests/test_store.py::${told} [ 50%]`),
      `================== ${lines.length} passed, 1 skipped in 14.03s ===================`,
    ],
    matters: [told, `${lines.length} passed, 1 skipped`],
  };
};

const unittest: Make = (dice) => {
  const lines = many(
    dice.int(180, 260),
    (index) =>
      `test_${dice.pick(WORDS)}_${index} (tests.test_${dice.pick(WORDS)}.${dice.pick(["Read", "Write", "Api"])}Tests.test_${dice.pick(WORDS)}_${index}) ... ok`,
  );
  const name = `test_${dice.pick(WORDS)}_rounding`;
  const told = `AssertionError: ${dice.int(10, 99)} != ${dice.int(100, 999)}`;
  const place = `File "/app/tests/test_money.py", line ${dice.int(10, 300)}, in ${name}`;
  return {
    command: "python -m unittest -v",
    lines: [
      ...planted(lines, dice.inside(lines.length), `${name} (tests.test_money.MoneyTests.${name}) ... FAIL`),
      "",
      "======================================================================",
      `FAIL: ${name} (tests.test_money.MoneyTests.${name})`,
      "----------------------------------------------------------------------",
      "Traceback (most recent call last):",
      `  ${place}`,
      "    self.assertEqual(round_up(total), expected)",
      told,
      "",
      "----------------------------------------------------------------------",
      `Ran ${lines.length + 1} tests in 3.208s`,
      "",
      "FAILED (failures=1)",
    ],
    matters: [`FAIL: ${name}`, told, place],
  };
};

const goTest: Make = (dice) => {
  const names = many(
    dice.int(115, 160),
    (index) => `Test${dice.pick(["Read", "Write", "Merge", "Split"])}${index}`,
  );
  const at = dice.inside(names.length);
  const told = `ledger_test.go:${dice.int(20, 400)}: Balance() = ${dice.int(2, 99)}, want ${dice.int(100, 999)}`;
  return {
    command: "go test -v ./...",
    lines: [
      ...names.flatMap((name, index) =>
        index === at
          ? [`=== RUN   ${name}`, `    ${told}`, `--- FAIL: ${name} (0.01s)`]
          : [`=== RUN   ${name}`, `--- PASS: ${name} (0.0${dice.int(0, 9)}s)`],
      ),
      "FAIL",
      "FAIL\tgithub.com/acme/shop/ledger\t1.204s",
      "FAIL",
    ],
    matters: [`--- FAIL: ${names[at]}`, told],
  };
};

const cargoTest: Make = (dice) => {
  const lines = many(
    dice.int(230, 320),
    () => `test ${dice.pick(WORDS)}::tests::${dice.pick(WORDS)}_${dice.pick(WORDS)} ... ok`,
  );
  const name = `${dice.pick(WORDS)}::tests::splits_${dice.pick(WORDS)}`;
  const place = `src/${dice.pick(WORDS)}.rs:${dice.int(100, 900)}:9`;
  const [left, right] = [dice.int(10, 99), dice.int(100, 999)];
  return {
    command: "cargo test",
    lines: [
      `running ${lines.length + 1} tests`,
      ...planted(lines, dice.inside(lines.length), `test ${name} ... FAILED`),
      "",
      "failures:",
      "",
      `---- ${name} stdout ----`,
      `thread '${name}' panicked at ${place}:`,
      "assertion `left == right` failed",
      `  left: ${left}`,
      ` right: ${right}`,
      "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
      "",
      "",
      "failures:",
      `    ${name}`,
      "",
      `test result: FAILED. ${lines.length} passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.41s`,
    ],
    matters: [
      `test ${name} ... FAILED`,
      place,
      `left: ${left}`,
      `right: ${right}`,
      `${lines.length} passed; 1 failed`,
    ],
  };
};

const cargoIgnored: Make = (dice) => {
  const lines = many(
    dice.int(230, 320),
    () => `test ${dice.pick(WORDS)}::tests::${dice.pick(WORDS)}_${dice.pick(WORDS)} ... ok`,
  );
  const told = `test ${dice.pick(WORDS)}::tests::talks_to_${dice.pick(WORDS)} ... ignored`;
  return {
    command: "cargo test",
    lines: [
      `running ${lines.length + 1} tests`,
      ...planted(lines, dice.inside(lines.length), told),
      "",
      `test result: ok. ${lines.length} passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.41s`,
    ],
    matters: [told],
  };
};

const junit: Make = (dice) => {
  const lines = many(
    dice.int(45, 60),
    () => `com.acme.${dice.pick(WORDS)}.${dice.pick(["Cart", "Order", "Stock"])}${dice.int(1, 99)}Test`,
  ).flatMap((name) => [
    `[INFO] Running ${name}`,
    `[INFO] Tests run: ${dice.int(3, 40)}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.${dice.int(100, 999)} s -- in ${name}`,
  ]);
  const told = `LedgerTest.sumsRefunds:${dice.int(20, 300)} expected: <${dice.int(10, 99)}> but was: <${dice.int(100, 999)}>`;
  return {
    command: "mvn -B test",
    lines: [
      ...lines,
      "[INFO] Running com.acme.ledger.LedgerTest",
      "[ERROR] Tests run: 7, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.061 s <<< FAILURE! -- in com.acme.ledger.LedgerTest",
      "[ERROR] com.acme.ledger.LedgerTest.sumsRefunds -- Time elapsed: 0.008 s <<< FAILURE!",
      "org.opentest4j.AssertionFailedError: expected: <3> but was: <4>",
      ...many(
        20,
        (index) =>
          `\tat org.junit.platform.engine.support.hierarchical.NodeTestTask.execute${index}(NodeTestTask.java:${dice.int(20, 200)})`,
      ),
      "[INFO] Results:",
      "[INFO] ",
      "[ERROR] Failures: ",
      `[ERROR]   ${told}`,
      "[INFO] ",
      "[ERROR] Tests run: 812, Failures: 1, Errors: 0, Skipped: 0",
      "[INFO] BUILD FAILURE",
    ],
    matters: [told, "Tests run: 812, Failures: 1"],
  };
};

const rspec: Make = (dice) => {
  const lines = many(dice.int(320, 400), (index) =>
    index % 10 === 0
      ? `${dice.pick(["Order", "Cart", "Refund"])}::${dice.pick(["Builder", "Reader"])}${index}`
      : `  ${sentence(dice)}`,
  );
  const name = sentence(dice);
  const place = `./spec/models/${dice.pick(WORDS)}_spec.rb:${dice.int(10, 200)}`;
  const [expected, got] = [dice.int(10, 99), dice.int(100, 999)];
  return {
    command: "bundle exec rspec -fd",
    lines: [
      ...planted(lines, dice.inside(lines.length), `  ${name} (FAILED - 1)`),
      "",
      "Failures:",
      "",
      `  1) Order ${name}`,
      "     Failure/Error: expect(order.total).to eq(price)",
      "",
      `       expected: ${expected}`,
      `            got: ${got}`,
      "",
      "       (compared using ==)",
      `     # ${place}:in \`block (3 levels) in <top (required)>'`,
      "",
      "Finished in 2.18 seconds (files took 1.4 seconds to load)",
      `${lines.length} examples, 1 failure`,
      "",
      "Failed examples:",
      "",
      `rspec ${place} # Order ${name}`,
    ],
    matters: [name, `expected: ${expected}`, `got: ${got}`, place, "examples, 1 failure"],
  };
};

const phpunit: Make = (dice) => {
  const lines = many(dice.int(380, 460), () => ` ✔ ${sentence(dice)}`);
  const name = `Tests\\Unit\\${dice.pick(["Cart", "Order"])}Test::test_${dice.pick(WORDS)}_totals`;
  const told = `Failed asserting that ${dice.int(10, 99)} matches expected ${dice.int(100, 999)}.`;
  const place = `/app/tests/Unit/OrderTest.php:${dice.int(10, 200)}`;
  return {
    command: "vendor/bin/phpunit --testdox",
    lines: [
      "PHPUnit 11.1.3 by Sebastian Bergmann and contributors.",
      "",
      ...lines,
      "",
      "There was 1 failure:",
      "",
      `1) ${name}`,
      told,
      "",
      place,
      "",
      "FAILURES!",
      `Tests: ${lines.length}, Assertions: ${lines.length * 2}, Failures: 1.`,
    ],
    matters: [name, told, place, "Failures: 1."],
  };
};

const dotnet: Make = (dice) => {
  const lines = many(
    dice.int(190, 260),
    () =>
      `  Passed Acme.${dice.pick(["Cart", "Order"])}.Tests.${dice.pick(["Reads", "Writes"])}_${dice.pick(WORDS)}_${dice.pick(WORDS)} [${dice.int(1, 30)} ms]`,
  );
  const name = `Acme.Ledger.Tests.Sums_${dice.pick(WORDS)}`;
  const place = `/src/Ledger.Tests/SumTests.cs:line ${dice.int(10, 200)}`;
  const [expected, actual] = [dice.int(10, 99), dice.int(100, 999)];
  return {
    command: "dotnet test -v n",
    lines: [
      ...planted(
        lines,
        dice.inside(lines.length),
        `  Failed ${name} [14 ms]`,
        "  Error Message:",
        "   Assert.Equal() Failure: Values differ",
        `Expected: ${expected}`,
        `Actual:   ${actual}`,
        "  Stack Trace:",
        `     at ${name}() in ${place}`,
      ),
      "",
      "Test Run Failed.",
      `Total tests: ${lines.length + 1}`,
      `     Passed: ${lines.length}`,
      "     Failed: 1",
      " Total time: 4.2011 Seconds",
    ],
    matters: [`Failed ${name}`, `Expected: ${expected}`, `Actual:   ${actual}`, place, "Failed: 1"],
  };
};

const nodeTest: Make = (dice) => {
  const lines = many(
    dice.int(220, 300),
    () => `✔ ${sentence(dice)} (${dice.int(0, 9)}.${dice.int(100_000, 999_999)}ms)`,
  );
  const name = sentence(dice);
  const told = `${dice.int(10, 99)} !== ${dice.int(100, 999)}`;
  const place = `test/${dice.pick(WORDS)}.test.js:${dice.int(10, 90)}:10`;
  return {
    command: "node --test",
    lines: [
      ...lines,
      `✖ ${name} (1.204ms)`,
      `ℹ tests ${lines.length + 1}`,
      "ℹ suites 0",
      `ℹ pass ${lines.length}`,
      "ℹ fail 1",
      "ℹ cancelled 0",
      "ℹ duration_ms 812.12",
      "",
      "✖ failing tests:",
      "",
      `test at ${place}`,
      `✖ ${name} (1.204ms)`,
      "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      "  ",
      `  ${told}`,
      "  ",
      `      at TestContext.<anonymous> (file:///app/${place})`,
    ],
    matters: [name, told, place, "ℹ fail 1"],
  };
};

const tap: Make = (dice) => {
  const total = dice.int(300, 400);
  const at = dice.inside(total);
  const name = sentence(dice);
  return {
    command: "prove -v",
    lines: [
      "TAP version 13",
      ...many(total, (index) =>
        index === at ? `ok ${index + 1} - ${name} # SKIP no network` : `ok ${index + 1} - ${sentence(dice)}`,
      ),
      `1..${total}`,
      `# tests ${total}`,
      `# pass  ${total}`,
    ],
    matters: [`${name} # SKIP no network`],
  };
};

const coverage: Make = (dice) => {
  const lines = many(
    dice.int(120, 180),
    () =>
      `  ${`${dice.pick(WORDS)}-${dice.pick(WORDS)}.ts`.padEnd(28)} |   ${dice.int(91, 99)}.${dice.int(10, 99)} |    ${dice.int(90, 99)}.${dice.int(10, 99)} |     100 |   ${dice.int(91, 99)}.${dice.int(10, 99)} | ${dice.int(10, 90)}-${dice.int(91, 99)}`,
  );
  const file = `${dice.pick(WORDS)}-${dice.pick(WORDS)}-rare.ts`;
  const odd = `  ${file.padEnd(28)} |    ${dice.int(3, 9)}.14 |    ${dice.int(1, 9)}.50 |    8.33 |    ${dice.int(3, 9)}.14 | 12-418`;
  return {
    command: "npx jest --coverage",
    lines: [
      "-------------------------------|---------|----------|---------|---------|-------------------",
      "File                           | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s ",
      "-------------------------------|---------|----------|---------|---------|-------------------",
      ...planted(lines, dice.inside(lines.length), odd),
      "-------------------------------|---------|----------|---------|---------|-------------------",
      "Tests:       840 passed, 840 total",
    ],
    matters: [file],
  };
};

export const loudTestRuns: readonly Make[] = [
  jest,
  vitest,
  mocha,
  pytest,
  unittest,
  goTest,
  cargoTest,
  junit,
  rspec,
  phpunit,
  dotnet,
  nodeTest,
];
export const quietTestRuns: readonly Make[] = [vitestSlow, pytestSkips, cargoIgnored, tap, coverage];
