/** IntList: a list of 32-bit integers in one growing typed array; cleared and used again, it allocates nothing. */

export class IntList {
  items: Int32Array = new Int32Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) this.reserve(this.length);
    this.items[this.length++] = value;
  }

  /** Makes room for so many more; whoever writes `items` and `length` directly asks for it first. */
  reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted <= this.items.length) return;
    const larger = new Int32Array(Math.max(wanted, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  clear(): void {
    this.length = 0;
  }
}
