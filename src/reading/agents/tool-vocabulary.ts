/** Tool vocabulary: what the tools of the common agents do, and which argument holds the path, the command or the list. */

/** The kinds of things that a call does. */
export type ActionKind =
  | "read"
  | "edit"
  | "create"
  | "delete"
  | "move"
  | "list"
  | "search"
  | "command"
  | "todo"
  | "web"
  | "other";

/**
 * What a tool does. `copy` makes a file from another; `patch` holds a patch that names its files; `by-command` says in
 * its `command` argument what it does; `call` hands its arguments to another tool.
 */
export type ToolVerb = ActionKind | "copy" | "patch" | "by-command" | "call";

export interface ToolMeaning {
  readonly does: ToolVerb;
  /** The arguments that hold what it works on, likeliest first; for `move` and `copy` the two ends. */
  readonly keys: readonly string[];
}

type Row = readonly [does: ToolVerb, ...keys: string[]];

/** By agent, names as the agent spells them. Tools that are not here are inferred from name and arguments. */
export const VOCABULARIES: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "Claude Code": {
    Read: ["read", "file_path"],
    NotebookRead: ["read", "notebook_path"],
    Write: ["create", "file_path"],
    Edit: ["edit", "file_path"],
    MultiEdit: ["edit", "file_path"],
    NotebookEdit: ["edit", "notebook_path"],
    LS: ["list", "path"],
    Glob: ["search", "pattern"],
    Grep: ["search", "pattern"],
    LSP: ["search", "filePath"],
    ToolSearch: ["search", "query"],
    Bash: ["command", "command"],
    PowerShell: ["command", "command"],
    BashOutput: ["other", "bash_id"],
    KillShell: ["other", "shell_id"],
    Task: ["other", "description"],
    Agent: ["other", "description"],
    Skill: ["other", "skill"],
    TaskOutput: ["other", "task_id"],
    TaskStop: ["other", "task_id"],
    TaskGet: ["other", "taskId"],
    TaskList: ["todo"],
    TodoWrite: ["todo", "todos"],
    TaskCreate: ["todo", "subject"],
    TaskUpdate: ["todo", "taskId"],
    ExitPlanMode: ["other", "plan"],
    EnterPlanMode: ["other"],
    AskUserQuestion: ["other", "questions"],
    SendMessage: ["other", "to"],
    Artifact: ["other", "file_path"],
    WebFetch: ["web", "url"],
    WebSearch: ["web", "query"],
  },
  Codex: {
    shell: ["command", "command"],
    local_shell: ["command", "command"],
    exec_command: ["command", "cmd"],
    write_stdin: ["other", "session_id"],
    apply_patch: ["patch", "input", "patch"],
    update_plan: ["todo", "plan"],
    view_image: ["read", "path"],
    read_file: ["read", "file_path"],
    list_dir: ["list", "dir_path"],
    grep_files: ["search", "pattern"],
  },
  "Gemini CLI": {
    read_file: ["read", "absolute_path", "file_path"],
    read_many_files: ["read", "paths", "include"],
    write_file: ["create", "file_path"],
    replace: ["edit", "file_path"],
    list_directory: ["list", "path", "dir_path"],
    glob: ["search", "pattern"],
    search_file_content: ["search", "pattern"],
    run_shell_command: ["command", "command"],
    google_web_search: ["web", "query"],
    web_fetch: ["web", "prompt", "url"],
    save_memory: ["other", "fact"],
    write_todos: ["todo", "todos"],
  },
  opencode: {
    read: ["read", "filePath"],
    write: ["create", "filePath"],
    edit: ["edit", "filePath"],
    multiedit: ["edit", "filePath"],
    patch: ["patch", "patchText"],
    bash: ["command", "command"],
    list: ["list", "path"],
    grep: ["search", "pattern"],
    webfetch: ["web", "url"],
    todowrite: ["todo", "todos"],
    todoread: ["other"],
    task: ["other", "description"],
  },
  Cline: {
    read_file: ["read", "path"],
    read_files: ["read", "files"],
    write_to_file: ["create", "path"],
    replace_in_file: ["edit", "path"],
    editor: ["edit", "path"],
    list_files: ["list", "path"],
    list_code_definition_names: ["list", "path"],
    search_files: ["search", "regex"],
    execute_command: ["command", "command"],
    run_commands: ["command", "commands"],
    use_mcp_tool: ["call", "arguments"],
    browser_action: ["web", "url"],
    attempt_completion: ["other"],
  },
  OpenHands: {
    execute_bash: ["command", "command"],
    terminal: ["command", "command"],
    execute_ipython_cell: ["command", "code"],
    str_replace_editor: ["by-command", "path"],
    file_editor: ["by-command", "path"],
    edit_file: ["edit", "path"],
    task_tracker: ["todo", "task_list"],
    think: ["other", "thought"],
    finish: ["other"],
    browser: ["web", "code"],
  },
  "SWE-agent": {
    open: ["read", "path"],
    create: ["create", "filename"],
    edit: ["edit"],
    insert: ["edit"],
    str_replace_based_edit_tool: ["by-command", "path"],
    view: ["read", "path"],
    find_file: ["search", "file_name"],
    search_file: ["search", "search_term"],
    search_dir: ["search", "search_term"],
    filemap: ["read", "file_path"],
    goto: ["other"],
    scroll_down: ["other"],
    scroll_up: ["other"],
    submit: ["other"],
  },
  LangChain: {
    read_file: ["read", "file_path"],
    write_file: ["create", "file_path"],
    edit_file: ["edit", "file_path"],
    copy_file: ["copy", "source_path", "destination_path"],
    move_file: ["move", "source_path", "destination_path"],
    file_delete: ["delete", "file_path"],
    list_directory: ["list", "dir_path"],
    file_search: ["search", "pattern"],
    terminal: ["command", "commands"],
    python_repl: ["command", "query"],
    ls: ["list", "path"],
    write_todos: ["todo", "todos"],
    memory: ["by-command", "path"],
  },
  aider: {
    write_file: ["create", "files", "path"],
    replace_lines: ["edit", "edits", "path"],
  },
  "Copilot CLI": {
    view: ["read", "path"],
    create: ["create", "path"],
    edit: ["edit", "path"],
    bash: ["command", "command"],
    read_bash: ["other", "shellId"],
    write_bash: ["other", "shellId"],
    stop_bash: ["other", "shellId"],
    update_todo: ["todo", "todos"],
    report_intent: ["other", "intent"],
    create_file: ["create", "filePath"],
    replace_string_in_file: ["edit", "filePath"],
    multi_replace_string_in_file: ["edit", "replacements"],
    insert_edit_into_file: ["edit", "filePath"],
    edit_notebook_file: ["edit", "filePath"],
    create_directory: ["other", "dirPath"],
    run_in_terminal: ["command", "command"],
    semantic_search: ["search", "query"],
    grep_search: ["search", "query"],
    get_errors: ["search", "filePaths"],
    manage_todo_list: ["todo", "todoList"],
  },
  Goose: {
    text_editor: ["by-command", "path"],
  },
  Cursor: {
    read_file: ["read", "target_file"],
    edit_file: ["edit", "target_file"],
    search_replace: ["edit", "file_path"],
    delete_file: ["delete", "target_file"],
    run_terminal_cmd: ["command", "command"],
    codebase_search: ["search", "query"],
    todo_write: ["todo", "todos"],
  },
  pi: {
    read: ["read", "path"],
    write: ["create", "path"],
    edit: ["edit", "path"],
    bash: ["command", "command"],
    find: ["search", "pattern"],
    ls: ["list", "path"],
  },
  "MCP filesystem": {
    read_file: ["read", "path"],
    read_text_file: ["read", "path"],
    read_media_file: ["read", "path"],
    read_multiple_files: ["read", "paths"],
    write_file: ["create", "path"],
    edit_file: ["edit", "path"],
    move_file: ["move", "source", "destination"],
    directory_tree: ["list", "path"],
    list_directory_with_sizes: ["list", "path"],
    create_directory: ["other", "path"],
    get_file_info: ["list", "path"],
    list_allowed_directories: ["list"],
    start_process: ["command", "command"],
    execute_tool: ["call", "params"],
    call_tool: ["call", "arguments"],
  },
};

/** For tools that are not in the vocabulary: the words of a name that tell what it does; the first that is known counts. */
export const NAME_WORDS: Readonly<Record<string, ToolVerb>> = {
  ...all("read", "read reads reader view open cat show get load parse"),
  ...all("create", "write writes create creates save new overwrite generate"),
  ...all("edit", "edit edits editor replace insert modify update append add change set refactor"),
  ...all("patch", "patch"),
  ...all("delete", "delete deletes remove rm unlink erase"),
  ...all("move", "move mv rename"),
  ...all("copy", "copy cp"),
  ...all("list", "list ls tree dir directory stat info exists"),
  ...all("search", "search grep find glob lookup query"),
  ...all("command", "run bash shell exec execute command cmd terminal"),
  ...all("todo", "todo todos checklist"),
  ...all("web", "web fetch browse browser navigate http url crawl scrape download"),
};

/** What the `command` argument of a `by-command` tool, such as `str_replace_editor`, says that it does. */
export const EDITOR_COMMANDS: Readonly<Record<string, ActionKind>> = {
  view: "read",
  create: "create",
  write: "create",
  str_replace: "edit",
  insert: "edit",
  edit: "edit",
  undo_edit: "edit",
  delete: "delete",
};

/** Which of them a call says. */
export function editorCommandIn(values: Readonly<Record<string, unknown>>): string | undefined {
  const said = EDITOR_COMMAND_KEYS.map((key) => values[key]);
  return said.find((value) => typeof value === "string" && Object.hasOwn(EDITOR_COMMANDS, value)) as
    | string
    | undefined;
}

const EDITOR_COMMAND_KEYS = ["command", "action", "mode"];

/** Arguments that name one file or several, in the spellings tools use, surest first. */
export const PATH_KEYS: readonly string[] = [
  ..."file_path filePath path filename file_name fileName file target_file targetFile absolute_path".split(
    " ",
  ),
  ..."absolutePath notebook_path document_path relative_path output_path pathname".split(" "),
  ..."paths files file_paths filePaths filenames sources".split(" "),
];

/** The two ends of a move or a copy. */
export const SOURCE_KEYS: readonly string[] =
  "source source_path old_path oldPath from src sourcePath path".split(" ");
export const DESTINATION_KEYS: readonly string[] =
  "destination destination_path new_path newPath to dst dest target destinationPath new_name".split(" ");

export const COMMAND_KEYS: readonly string[] = "command cmd script commandLine command_line commands".split(
  " ",
);

/** Where a command runs. */
export const FOLDER_KEYS: readonly string[] = "workdir cwd working_directory workingDirectory dir_path".split(
  " ",
);

/** What a file's content, or a piece of it, is passed as. */
export const CONTENT_KEYS: readonly string[] = "content contents file_text text body".split(" ");
export const REPLACED_KEYS: readonly string[] = "old_string old_str oldText oldString old_text".split(" ");
export const REPLACEMENT_KEYS: readonly string[] =
  "new_string new_str newText newString new_text replacement edits diff patch".split(" ");
/** Arguments by which an edit is made wherever its text is found, or so often. */
export const MORE_THAN_ONCE: readonly string[] =
  "replace_all replaceAll allow_multiple expected_replacements".split(" ");

const byName = new Map<string, ToolMeaning>();
for (const tools of Object.values(VOCABULARIES)) {
  for (const [name, [does, ...keys]] of Object.entries(tools)) {
    const known = byName.get(plain(name));
    byName.set(plain(name), {
      does: known?.does ?? does,
      keys: [...new Set([...(known?.keys ?? []), ...keys])],
    });
  }
}

/** What a tool of that name does, where a vocabulary has it: `mcp__fs__read_file`, `functions.ReadFile` → read. */
export function meaningOf(name: string): ToolMeaning | undefined {
  const known = spelled.get(name);
  if (known !== undefined || spelled.has(name)) return known;
  const meaning = byName.get(plain(baseName(name)));
  if (spelled.size >= MAX_SPELLED) spelled.clear();
  spelled.set(name, meaning);
  return meaning;
}

/** What was looked up before, by the name as it was spelled: a conversation has few tools and many calls. */
const spelled = new Map<string, ToolMeaning | undefined>();
const MAX_SPELLED = 1_000;

/** A name without what clients put before it. */
export function baseName(name: string): string {
  return (
    name
      .slice(-200)
      .split(/__|[./:]/)
      .pop() ?? ""
  );
}

function plain(name: string): string {
  return name.replace(/[-_\s]/g, "").toLowerCase();
}

function all(verb: ToolVerb, words: string): Readonly<Record<string, ToolVerb>> {
  return Object.fromEntries(words.split(" ").map((word) => [word, verb]));
}
