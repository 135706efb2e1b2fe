/** Shell words: cuts a script into its simple commands, as far as can be told without running it. One linear scan. */

export interface Word {
  readonly text: string;
  /** Stands for exactly itself: no variable, no pattern, no substitution. */
  readonly literal: boolean;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Files that its output goes to. */
  readonly writes: readonly { readonly to: Word; readonly append: boolean }[];
  /** What joins it to the command before: "", ";", "|", "&&", "||". */
  readonly after: string;
  /** Its failure shows nowhere: error output thrown away, or an alternative follows. */
  readonly forgiven: boolean;
}

/** Scripts are read this far: beyond is data, not commands. */
const MAX_CHARS = 100_000;

export function splitShell(script: string): readonly SimpleCommand[] {
  if (script !== latest.script) {
    latest = { script, commands: new ShellReader(script.slice(0, MAX_CHARS)).read() };
  }
  return latest.commands;
}

/** All that is asked of one script is asked one after the other. */
let latest: { readonly script: string; readonly commands: readonly SimpleCommand[] } = {
  script: "",
  commands: [],
};

interface OpenCommand {
  words: Word[];
  writes: { to: Word; append: boolean }[];
  after: string;
  forgiven: boolean;
}

type Target = "word" | "write" | "append" | "errors" | "input" | "heredoc" | "indented heredoc";

const QUOTE_OR_ESCAPE = /["\\]/g;
const BRACKET = /[()]/g;
const PLAIN = 0;
const MEANING = 1;
const PATTERN = 2;
/** What each ASCII character is outside quotes. */
const KINDS = new Uint8Array(128);
for (const char of "'\"\\$`\n \t\r&><;|()") KINDS[char.charCodeAt(0)] = MEANING;
for (const char of "*?[{") KINDS[char.charCodeAt(0)] = PATTERN;
const HASH = "#".charCodeAt(0);

function kindOf(code: number): number {
  return code < 128 ? KINDS[code]! : PLAIN;
}

/** Holds the place in the script while it is read. */
class ShellReader {
  private at = 0;
  private text = "";
  private literal = true;
  private open = false;
  private target: Target = "word";
  private heredocs: { name: string; mayIndent: boolean }[] = [];
  private command: OpenCommand = { words: [], writes: [], after: "", forgiven: false };
  private readonly commands: OpenCommand[] = [];
  private readonly script: string;

  constructor(script: string) {
    this.script = script;
  }

  read(): readonly SimpleCommand[] {
    while (this.at < this.script.length) {
      const code = this.script.charCodeAt(this.at);
      if (kindOf(code) === MEANING) this.step(this.script[this.at]!);
      else if (code === HASH && !this.open) this.at = this.find("\n", this.at);
      else this.plain();
    }
    this.endCommand("");
    return this.commands;
  }

  private step(char: string): void {
    if (char === " " || char === "\t" || char === "\r") this.space();
    else if (char === "'") this.quote(this.find("'", this.at + 1));
    else if (char === '"') this.quote(this.doubleQuoteEnd());
    else if (char === "\\") this.escape();
    else if (char === "$" || char === "`") this.substitute(char);
    else if (char === "\n") this.newLine();
    else if (char === "&" && this.script[this.at + 1] === ">") this.space();
    else if (char === ">" || char === "<") this.redirect(char);
    else this.operator(char);
  }

  private space(): void {
    this.endWord();
    this.at++;
  }

  /** Up to the next character that means something. */
  private plain(): void {
    let end = this.at;
    for (; end < this.script.length; end++) {
      const kind = kindOf(this.script.charCodeAt(end));
      if (kind === MEANING) break;
      if (kind === PATTERN) this.literal = false;
    }
    this.add(this.script.slice(this.at, end));
    this.at = end;
  }

  private quote(end: number): void {
    const inner = this.script.slice(this.at + 1, end);
    if (this.script[this.at] === '"') {
      if (inner.includes("$") || inner.includes("`")) this.literal = false;
      this.add(inner.includes("\\") ? inner.replace(/\\(["\\$`])/g, "$1") : inner);
    } else this.add(inner);
    this.at = end + 1;
  }

  private doubleQuoteEnd(): number {
    let end = this.findAny(QUOTE_OR_ESCAPE, this.at + 1);
    while (this.script[end] === "\\") end = this.findAny(QUOTE_OR_ESCAPE, end + 2);
    return end;
  }

  private escape(): void {
    const next = this.script[this.at + 1] ?? "";
    if (next !== "\n") this.add(next);
    this.at += 2;
  }

  private substitute(char: string): void {
    this.literal = false;
    this.add(char);
    if (char === "`") this.at = this.find("`", this.at + 1) + 1;
    else if (this.script[this.at + 1] === "(") this.at = this.closing(this.at + 1);
    else this.at++;
  }

  /** Past the bracket that closes the one at `from`. */
  private closing(from: number): number {
    let depth = 0;
    for (let at = from; at < this.script.length; at = this.findAny(BRACKET, at + 1)) {
      if (this.script[at] === "(") depth++;
      else if (--depth === 0) return at + 1;
    }
    return this.script.length;
  }

  private newLine(): void {
    this.operator(";");
    for (const { name, mayIndent } of this.heredocs.splice(0)) {
      const end = name.replace(/[^\w]/g, "\\$&");
      const found = new RegExp(`^${mayIndent ? "\\t*" : ""}${end}\\r?$`, "m");
      const rest = this.script.slice(this.at);
      const match = found.exec(rest);
      this.at = match === null ? this.script.length : this.at + match.index + match[0].length;
    }
  }

  private redirect(char: string): void {
    const toErrors = this.open && this.text === "2";
    if (this.open && /^\d$/.test(this.text)) this.dropWord();
    else this.endWord();
    const next = this.script[this.at + 1];
    if (next === "(") this.at = this.closing(this.at + 1);
    else if (next === "&") this.at += 3;
    else if (char === "<") this.redirectInput();
    else {
      this.target = toErrors ? "errors" : next === ">" ? "append" : "write";
      this.at += next === ">" || next === "|" ? 2 : 1;
    }
  }

  private redirectInput(): void {
    const rest = this.script.slice(this.at, this.at + 3);
    const isHeredoc = rest.startsWith("<<") && rest !== "<<<";
    this.target = !isHeredoc ? "input" : rest === "<<-" ? "indented heredoc" : "heredoc";
    this.at += rest === "<<<" || rest === "<<-" ? 3 : isHeredoc ? 2 : 1;
  }

  private operator(char: string): void {
    const double = char !== ";" && this.script[this.at + 1] === char;
    const operator = double && char !== "(" && char !== ")" ? char + char : char === "|" ? "|" : ";";
    if (operator === "||") this.command.forgiven = true;
    this.endCommand(operator);
    this.at += operator.length;
  }

  private endCommand(operator: string): void {
    this.endWord();
    const { words, writes } = this.command;
    if (words.length > 0 || writes.length > 0) {
      this.commands.push(this.command);
      this.command = { words: [], writes: [], after: operator, forgiven: false };
    } else this.command.forgiven = false;
  }

  private endWord(): void {
    if (!this.open) return;
    const word = { text: this.text, literal: this.literal };
    const target = this.target;
    this.dropWord();
    this.target = "word";
    if (target === "word") this.command.words.push(word);
    else if (target === "write" || target === "append") {
      this.command.writes.push({ to: word, append: target === "append" });
    } else if (target === "errors") this.command.forgiven = true;
    else if (target !== "input") {
      this.heredocs.push({ name: word.text, mayIndent: target === "indented heredoc" });
    }
  }

  private dropWord(): void {
    this.text = "";
    this.literal = true;
    this.open = false;
  }

  private add(text: string): void {
    this.text += text;
    this.open = true;
  }

  private findAny(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.exec(this.script)?.index ?? this.script.length;
  }

  private find(part: string, from: number): number {
    const found = this.script.indexOf(part, from);
    return found < 0 ? this.script.length : found;
  }
}
