import { expect, test } from "vitest";
import { checksIn } from "./checks.ts";
import { commandText } from "./command-text.ts";

test("what a script feeds to programs is left out, what it runs before and after stays", () => {
  const write = "cat > \"$tmp\" <<'EOF'\nDo this.\n\nAnd that.\nEOF\n";
  expect(commandText(`tmp=$(mktemp)\n${write}send main -f "$tmp"`)).toBe(
    'tmp=$(mktemp); cat > "$tmp" <<\'EOF\' …; send main -f "$tmp"',
  );
  expect(commandText(write)).toBe("cat > \"$tmp\" <<'EOF' …");
  expect(commandText(write + write)).toBe("cat > \"$tmp\" <<'EOF' …; cat > \"$tmp\" <<'EOF' …");
  expect(commandText("cat <<EOF\nnever closed")).toBe("cat <<EOF …");
  expect(commandText("cat <<EOF\n  EOF is near\nEOF\nmake")).toBe("cat <<EOF …; make");
  expect(commandText("git commit -m \"$(cat <<'EOF'\nfix: x\nEOF\n)\" && git push")).toBe(
    "git commit -m \"$(cat <<'EOF' … )\" && git push",
  );
});

test("what is fed in ends where a shell ends it", () => {
  const script =
    "cat > a.sh <<'EOF'\nif true; then\n  cat > conf <<EOF\n  a=1\n  EOF\nfi\nnpm test\nEOF\nchmod +x a.sh";
  expect(commandText(script)).toBe("cat > a.sh <<'EOF' …; chmod +x a.sh");
  expect(checksIn(script)).toEqual([]);
  expect(checksIn("cat <<EOF\n\tEOF\nnpm test\nEOF ")).toEqual([]);
  expect(commandText("cat <<EOF\n\tEOF\nnpm test\nEOF\nls")).toBe("cat <<EOF …; ls");
  expect(commandText("cat <<-EOF\n\ta\n\tEOF\nls")).toBe("cat <<-EOF …; ls");
  expect(commandText("cat <<'A' <<'B'\none\nA\nnpm test\nB\nls")).toBe("cat <<'A' <<'B' …; ls");
  expect(commandText("cat <<A <<A\nA\nnpm test\nA\nls")).toBe("cat <<A <<A …; ls");
  expect(commandText("cat <<<WORD\nls")).toBe("cat <<<WORD; ls");
});

test("a megabyte of a script is read in no time", () => {
  for (const piece of ["EOF", "EOF ", "\tEOF\t", "<<EOF\n", "cat <<EOF\nEOF\n", "\nEOF x"]) {
    const started = performance.now();
    commandText(`cat <<EOF\n${piece.repeat(1_000_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});
