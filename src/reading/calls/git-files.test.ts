import { expect, test } from "vitest";
import { movesTree } from "./git-files.ts";

test("git puts other content into the working tree by what it is told to do, not by what else is named", () => {
  for (const script of [
    "git pull",
    "cd web && git -C ../api merge main",
    "git checkout main",
    "git checkout -- a.ts",
    "git restore a.ts",
    "git restore --staged --worktree a.ts",
    "git reset -q --hard HEAD~1",
    "git stash && git switch -q main",
  ])
    expect(movesTree(script, ""), script).toBe(true);
  for (const script of [
    "git merge-base main HEAD",
    "git diff $(git merge-base main HEAD)",
    "git restore --staged a.ts",
    "git checkout -q -b x",
    "git checkout -qb x",
    "git switch --create x",
    "git switch --orphan x",
    "git log --grep 'git revert x'",
    "git commit -m 'revert git pull'",
    "git rebase --abort",
    "git apply --check a.patch",
    "git reset a.ts",
  ])
    expect(movesTree(script, ""), script).toBe(false);
  expect(movesTree("git pull", "Already up to date.")).toBe(false);
});
