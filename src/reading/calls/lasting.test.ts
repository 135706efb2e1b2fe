import { expect, test } from "vitest";
import { actsForGood, lastingIn } from "./lasting.ts";

const told = (script: string, answer: string, failed = false) =>
  lastingIn(script, answer, failed).map(({ name, what }) => `${name} ${what}`.trim());

test("a commit is told by its hash and message, however it was typed", () => {
  const answer = "[fix/x 1a2b3c4] fix: the loop, the list and the plan\n 2 files changed";
  const expected = ["commit 1a2b3c4 fix: the loop, the list and the plan"];
  expect(told(`git add a.ts && git commit -m "fix: the loop, the list and the plan"`, answer)).toEqual(
    expected,
  );
  expect(told(`git -C app commit -m "$(cat <<'EOF'\nfix: the loop\n\nMore.\nEOF\n)"`, answer)).toEqual(
    expected,
  );
  expect(told("git commit --amend --no-edit", answer)).toEqual([
    "amend 1a2b3c4 fix: the loop, the list and the plan",
  ]);
  expect(told("git commit -qm 'fix: quiet'", "")).toEqual(["commit fix: quiet"]);
  expect(told(`git commit -q -m "$(cat <<'EOF'\nfix: quiet\n\nMore.\nEOF\n)"`, "")).toEqual([
    "commit fix: quiet",
  ]);
});

test("of a script that failed only what its answer proves was done", () => {
  const answer = "[main 1a2b3c4] fix: x\n ! [rejected] main -> main (fetch first)";
  expect(told("git commit -m 'fix: x' && git push", answer, true)).toEqual(["commit 1a2b3c4 fix: x"]);
  expect(told("git commit -m x", "nothing to commit, working tree clean", true)).toEqual([]);
  expect(told("gh pr create --fill", "see https://github.com/cli/cli/issues/1", true)).toEqual([]);
});

test("pushes, merges, requests, releases and deploys are told by what they are known by", () => {
  const push = "To github.com:a/b.git\n   1a2b3c4..2b3c4d5  fix/x -> fix/x";
  expect(told("git push -u origin fix/x 2>&1", push)).toEqual(["push fix/x"]);
  expect(told("git merge origin/main --no-edit", "Merge made")).toEqual(["merge origin/main --no-edit"]);
  expect(told("git checkout -b fix/x", "Switched")).toEqual(["branch checkout -b fix/x"]);
  expect(told("gh pr create --title 'Fix x'", "https://github.com/a/b/pull/12")).toEqual([
    "pr create https://github.com/a/b/pull/12",
  ]);
  expect(told("gh api repos/a/b/pulls/12/comments/34/replies -f body='Fixed.'", "{}")).toEqual([
    "gh api pulls/12/comments/34/replies",
  ]);
  expect(told("npm publish --access public", "+ x@1.0.0")).toEqual(["npm publish"]);
  expect(told("cd infra && terraform apply -auto-approve", "Apply complete!")).toEqual(["terraform apply"]);
  expect(told("npm run deploy:prod && npx prisma migrate deploy", "ok")).toEqual([
    "npm run deploy:prod",
    "npx prisma migrate",
  ]);
});

test("what only looks, tries or speaks of it lasts not", () => {
  for (const script of [
    "git log --oneline -5",
    "git push --dry-run origin main",
    "git tag --contains 1a2b3c4",
    "git merge-base main HEAD",
    "git rebase --abort",
    "git reset HEAD a.ts",
    "gh pr view 12 --comments",
    "gh pr createx",
    "gh search close",
    "gh api repos/a/b/pulls/12/comments",
    "grep -rn 'git commit' src",
    "cat > deploy.sh <<'EOF'\ngit push\nEOF",
    "mkdir deploy",
    "curl -X POST http://localhost:3000/x",
  ])
    expect(told(script, "ok"), script).toEqual([]);
});

test("a tool acts for good by a whole word of its name, and not on files, lists and pages", () => {
  for (const tool of ["create_issue", "mcp__mail__sendMail", "book-flight", "Refund"])
    expect(actsForGood(tool), tool).toBe(true);
  for (const tool of ["bookstore", "create_file", "deleteTodos", "update_notes", "created"])
    expect(actsForGood(tool), tool).toBe(false);
});

test("a look through GraphQL does nothing, a mutation does", () => {
  expect(
    told("gh api graphql -f query='query { repository(owner: \"a\") { id } }' --jq .data", "{}"),
  ).toEqual([]);
  expect(told("gh api graphql -F n=1 -f query='mutation { resolve(id: 1) }'", "{}")).not.toEqual([]);
  expect(told("gh api repos/a/b/issues --jq .[].title", "x")).toEqual([]);
});
