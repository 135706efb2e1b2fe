/** Known names: what every project of a language holds. Nobody has to be told of `fmt.Errorf` or `package.json` to use it. */
import { HASH_START, hashStep } from "./specifics.ts";

/** What stands before the first joint of a name: modules of standard libraries, test runners, the receivers of tests. */
const HEADS = `
  fmt os io ioutil path filepath strings strconv bytes bufio errors context time sync atomic json xml csv base64 hex
  http httptest url net exec log slog regexp sort slices maps math rand reflect runtime debug testing template html text tls
  sql flag signal user utf8 unicode utf16 tar gzip zip sha256 sha1 md5 hmac big crypto encoding embed fs ast token parser
  unsafe syscall iter cmp assert require t b tb cobra pflag viper
  console math json object array promise number string date set map symbol process buffer window document
  react vi jest expect describe it test node util crypto module import globalthis error reflect intl url
  sys re np pd plt torch typing collections itertools functools subprocess pathlib datetime logging unittest pytest asyncio
  random shutil tempfile argparse dataclasses enum abc copy io pickle threading multiprocessing inspect traceback builtins
  std core alloc serde tokio vec option result box string hashmap
  java javax system arrays list collections junit
  w3.org www.w3.org json-schema.org schemas.xmlsoap.org
`;

const WHOLE = `
  readme.md changelog.md license.md package.json package-lock.json tsconfig.json go.mod go.sum main.go main.py main.ts index.ts
  index.js index.html setup.py pyproject.toml requirements.txt cargo.toml makefile .gitignore node_modules __init__.py __init__
  __main__ __name__ claude.md agents.md
  0o644 0o600 0o755 0o750 0o700 utf-8 utf8 sha256 sha-256 base64 http/1.1 application/json text/plain text/html i18n e2e
  session_id tool_use_id user_id agent_id file_path old_string new_string replace_all output_mode created_at updated_at
  tool_calls tool_call_id exit_code total_tokens tool_uses duration_ms content-type user-agent files_with_matches
  and/or i.e e.g ok/failed yes/no true/false read/write input/output client/server origin/main origin/master
  filepath filename sessionid userid typescript javascript github macos ios nodejs postgresql sqlite openai graphql
  usr/bin bin/bash bin/sh usr/local dev/null
`;

/** Endings of files: `errors.go` is a file, whatever `errors.New` is. */
const ENDINGS =
  "go ts tsx js jsx mjs cjs py rs java rb c h cc cpp cs md json jsonl yaml yml toml txt sh html css sql lock xml";

const heads = hashesOf(HEADS);
const whole = hashesOf(WHOLE);
const endings = hashesOf(ENDINGS);

/** Whether `text.slice(start, end)`, a specific, is one of them. */
export function isKnownName(text: string, start: number, end: number): boolean {
  let hash = HASH_START;
  let tail = HASH_START;
  let head = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isJoint = code === 46 || code === 47 || code === 58;
    if (isJoint && head === 0) head = heads.has(hash) ? 1 : 2;
    tail = isJoint ? HASH_START : hashStep(tail, code);
    hash = hashStep(hash, code);
  }
  return whole.has(hash) || (head === 1 && !endings.has(tail));
}

function hashesOf(words: string): ReadonlySet<number> {
  return new Set(words.trim().split(/\s+/).map(hashOf));
}

function hashOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = hashStep(hash, word.charCodeAt(at));
  return hash;
}
