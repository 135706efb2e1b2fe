import { expect, test } from "vitest";
import { commandText } from "./command-text.ts";

test("what a script feeds to programs is left out, what it runs before and after stays", () => {
  const write = "cat > \"$tmp\" <<'EOF'\nDo this.\n\nAnd that.\nEOF\n";
  expect(commandText(`tmp=$(mktemp)\n${write}send main -f "$tmp"`)).toBe(
    'tmp=$(mktemp); cat > "$tmp" <<\'EOF\' …; send main -f "$tmp"',
  );
  expect(commandText(write)).toBe("cat > \"$tmp\" <<'EOF' …");
  expect(commandText(write + write)).toBe("cat > \"$tmp\" <<'EOF' …; cat > \"$tmp\" <<'EOF' …");
  expect(commandText("cat <<EOF\nnever closed")).toBe("cat <<EOF …");
  expect(commandText("cat <<EOF\n  EOF is near\n  EOF\nmake")).toBe("cat <<EOF …; make");
  expect(commandText("git commit -m \"$(cat <<'EOF'\nfix: x\nEOF\n)\" && git push")).toBe(
    "git commit -m \"$(cat <<'EOF' … )\" && git push",
  );
});

test("a megabyte of a script is read in no time", () => {
  for (const piece of ["EOF", "EOF ", "\tEOF\t", "<<EOF\n", "cat <<EOF\nEOF\n", "\nEOF x"]) {
    const started = performance.now();
    commandText(`cat <<EOF\n${piece.repeat(1_000_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});
