/** Words and a cheap estimate of tokens, in one pass over the characters of a text. */

export interface Scan {
  readonly words: number[];
  readonly tokens: number;
}

/** The words of one conversation: each has a number, and what is known about it stands in arrays. */
export class Lexicon {
  private readonly ids = new Map<string, number>();
  readonly texts: number[] = [];
  readonly typed: boolean[] = [];
  readonly said: number[] = [];
  /** The last text that gave this word to a call. */
  readonly used: number[] = [];
  /** Letters and digits: an id, a key. */
  readonly isKey: boolean[] = [];
  private readonly lines = new Map<string, number>();
  private readonly lastText: number[] = [];
  private readonly lastScan: number[] = [];
  private scans = 0;
  /** One list for all scans: what each found is a copy of its beginning. */
  private readonly found: number[] = [];

  /** Different words of a text (two letters and more; Chinese and Japanese in pairs), and its estimated tokens. */
  scan(text: string): Scan {
    const words = this.found;
    let count = 0;
    this.scans += 1;
    const add = (word: string) => {
      const id = this.id(word);
      if (this.lastScan[id] === this.scans) return;
      this.lastScan[id] = this.scans;
      words[count] = id;
      count += 1;
    };
    let tokens = 0;
    let start = -1;
    let wide = false;
    /** It has a letter that may be a capital. */
    let large = false;
    const close = (end: number) => {
      if (start < 0) return;
      const length = end - start;
      tokens += wide ? length * 0.8 : length <= 7 ? 1 : Math.ceil(length / 4.5);
      if (wide) for (let i = start; i < end - 1; i += 1) add(text.slice(i, i + 2));
      else if (length > 1 && length <= 80)
        add(large ? text.slice(start, end).toLowerCase() : text.slice(start, end));
      [start, large] = [-1, false];
    };
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      const letter = isLetter(code);
      if (letter && start >= 0 && wide !== code > 0x2e80) close(i);
      if (letter) {
        if (start < 0) [start, wide] = [i, code > 0x2e80];
        if (code <= 90 ? code >= 65 : code > 122) large = true;
        continue;
      }
      close(i);
      if (code !== 32) tokens += 0.6;
    }
    close(text.length);
    return { words: words.slice(0, count), tokens: tokens + 0.5 };
  }

  /** Remember that a text has these words: how many texts have a word tells how rare it is, who said it what it is about. */
  learn(words: readonly number[], text: number, voice: "typed" | "said" | "asked" | "printed"): void {
    for (const word of words) {
      if (voice === "typed") this.typed[word] = true;
      if (voice === "asked") this.used[word] = text;
      if (this.lastText[word] === text) continue;
      this.lastText[word] = text;
      this.texts[word] = (this.texts[word] ?? 0) + 1;
      if (voice === "said") this.said[word] = (this.said[word] ?? 0) + 1;
    }
  }

  private id(word: string): number {
    let id = this.ids.get(word);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(word, id);
      this.isKey[id] = word.length >= 4 && /\d/.test(word) && /[a-z_]/.test(word);
    }
    return id;
  }

  /** The number of a line of text: the same words in the same order have the same number. */
  line(text: string): number {
    const key = text.trim();
    if (key.length < 20) return -1;
    let number = this.lines.get(key);
    if (number === undefined) {
      number = this.lines.size;
      this.lines.set(key, number);
    }
    return number;
  }

  get size(): number {
    return this.ids.size;
  }
}

function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    (code >= 0xc0 && (code < 0x2000 || code > 0x2e80) && !(code >= 0x3000 && code <= 0x303f) && code < 0xff00)
  );
}
