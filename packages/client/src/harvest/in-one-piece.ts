/** Concatenates byte arrays; adjacent slices of one buffer are not copied. */
export function inOnePiece(pieces: readonly Uint8Array[]): Buffer {
  const [first] = pieces;
  if (!first) return Buffer.alloc(0);
  let end = first.byteOffset;
  for (const { buffer, byteOffset, length } of pieces) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat(pieces);
    end += length;
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset);
}
