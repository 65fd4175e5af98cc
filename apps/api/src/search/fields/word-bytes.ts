/** Whether a byte is part of a word: a folded ASCII letter or digit, or any byte of a non-ASCII character. */
export function isWordByte(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** The hash of a word. */
export function hashOf(word: string): number {
  let hash = HASH_START;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, HASH_PRIME);
  return hash >>> 0;
}

/** Calls `onWord` with the bounds and the hash of each word of a folded text, in UTF-8. @param length in bytes */
export function eachWord(
  bytes: Uint8Array,
  length: number,
  onWord: (start: number, end: number, hash: number) => void,
): void {
  let [start, hash] = [0, HASH_START];
  for (let at = 0; at <= length; at++) {
    const byte = at < length ? (bytes[at] ?? 0) : 0;
    if (isWordByte(byte)) {
      hash = Math.imul(hash ^ byte, HASH_PRIME);
    } else {
      if (at > start) onWord(start, at, hash >>> 0);
      [start, hash] = [at + 1, HASH_START];
    }
  }
}
