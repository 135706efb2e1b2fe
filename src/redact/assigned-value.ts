/** isSecretValue: whether what is behind a telling name is the secret itself, and no code, path, type or word. */
import { isPhrase, type NameStrength } from "./telling-names.ts";
import { isPlaceholder, isRandom, isShortSecret, isVaried, isWild } from "./varied.ts";

export interface Assignment {
  readonly name: string;
  readonly strength: NameStrength;
  /** What is between the name and the value, quotes and all. */
  readonly after: string;
  readonly isQuoted: boolean;
  /** Nothing but a blank is between them. */
  readonly isSpoken: boolean;
}

export function isSecretValue(assignment: Assignment, value: string): boolean {
  if (isPlaceholder(value)) return false;
  if (assignment.isSpoken) return isSpokenSecret(value);
  return assignment.strength === "password" ? isPassword(assignment, value) : isKey(assignment, value);
}

/** After a mere blank, as in `the password 5iZcHHgr3x works`, only what no word or name looks like. */
function isSpokenSecret(value: string): boolean {
  if (/^[A-Za-z0-9+/]{40,}={1,2}$/.test(value)) return isVaried(value);
  if (/[()[\]{}=/:]|^[-.#@]/.test(value)) return false;
  if (value.length >= 20 && (isRandom(value) || /^[0-9a-f]{32,64}$/.test(value))) return true;
  return (
    value.length >= 10 && isShortSecret(value) && isVaried(value) && /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value)
  );
}

function isKey({ name, strength, after }: Assignment, value: string): boolean {
  if (/[\s()[\]{}]|:\/\//.test(value)) return isPhrase(value);
  if (/^[A-Z]\w*$/.test(name.slice(name.lastIndexOf(" ") + 1)) && /^[:=]/.test(after) && ONE_RUN.test(value))
    return true;
  if (value.length >= 16) return isVaried(value) && (!/^[~.]{0,2}\/\w/.test(value) || isWild(value));
  if (value.length < 10 || !isVaried(value) || !/^\w+$/.test(value)) return false;
  return strength === "sure" || isRandom(value);
}

/** As long as no word is: behind the name of a setting it need not look random. */
const ONE_RUN = /^(?:[a-z]{1,2}\.)?[A-Za-z0-9+]{24,}={0,2}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `x.y`, `f(x)`, `a[0]`, `Optional[str]`, `path/to/file`: code and paths, not values. */
const EXPRESSION = /[()[\]{}]|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^[~.]{0,2}\/|^[A-Za-z_]\w*$/;

function isPassword({ name, after, isQuoted }: Assignment, value: string): boolean {
  if (value.length < 6 || value.length > 200) return false;
  // A comparison is no assignment, and `pwd` is a folder more often than a password.
  if (/\s|^=|^[~.*]{0,2}[/\\]|^[~*]|^[A-Za-z]:/.test(value)) return isQuoted && isPhrase(value);
  if (/pwd/i.test(name) && value.includes("/")) return false;
  // Test runners print it before each name.
  if (/(?:^| )PASS$/.test(name)) return isQuoted && isShortSecret(value);
  if (/\n|[a-z]{2}:? {1,2}|^[ (]|,/.test(after) || /pass$/.test(name)) return isShortSecret(value);
  if (isQuoted) return !/[()[\]{}]|^[.#/]/.test(value);
  if (EXPRESSION.test(value) && !(/^\w+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)))
    return false;
  return /\d|[!@#$%^&*?~+]|^[A-Za-z+/]{8,}={1,2}$/.test(value) || isWordy(name, after, value);
}

/** `DB_PASSWORD=correct-horse-battery-staple` */
function isWordy(name: string, after: string, value: string): boolean {
  return after === "=" && /[A-Z]$/.test(name) && /^[a-z]{3,}(?:[-_.][a-z]{3,}){2,}$/.test(value);
}
