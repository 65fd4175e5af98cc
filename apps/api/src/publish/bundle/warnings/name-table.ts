/** Lines by name, for telling that a name comes again. Keeps a number of 52 bits in place of a name. */
export class NameTable {
  readonly #lines = new Map<number, number>();

  /** Adds a name; returns the line that has it already, if any. */
  add(name: string, line: number): number | undefined {
    const key = hash(name);
    const known = this.#lines.get(key);
    if (known === undefined) this.#lines.set(key, line);
    return known;
  }
}

/** FNV-1a, twice, with 26 bits of each: two names in 10,000,000 share a number by chance once in a hundred archives. */
function hash(text: string): number {
  let one = 0x811c9dc5;
  let two = 0x2f0b4c47;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995);
  }
  return ((one >>> 6) & 0x3ffffff) * 0x4000000 + ((two >>> 6) & 0x3ffffff);
}
