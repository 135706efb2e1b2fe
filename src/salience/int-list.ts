/** IntList: a list of 32-bit integers in one growing typed array; cleared and used again, it allocates nothing. */

export class IntList {
  items: Int32Array = new Int32Array(256);
  length = 0;

  /** Gives the new length. */
  push(value: number): number {
    if (this.length === this.items.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = value;
    return this.length;
  }

  clear(): void {
    this.length = 0;
  }
}
