const LINE_FEED = 0x0a;

/** Whether a line is complete. */
export function hasLineFeed(line: Uint8Array): boolean {
  return line.at(-1) === LINE_FEED;
}

/**
 * Splits chunks of bytes into lines with their line feeds, in batches: those that end in each chunk. What follows the last line
 * feed is the last line. Runs in browsers.
 *
 * @param onRest called with the number of bytes after the last line feed so far
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  onRest: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array[], void, void> {
  let rest: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = [];
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, begin)) {
      lines.push(joined([...rest, chunk.subarray(begin, end + 1)]));
      rest = [];
      begin = end + 1;
    }
    if (begin < chunk.length) rest.push(chunk.subarray(begin));
    onRest(rest.reduce((bytes, { length }) => bytes + length, 0));
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [joined(rest)];
}

/** Concatenates byte arrays; a single one is not copied. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(), ...others] = pieces;
  if (others.length === 0) return first;
  const all = new Uint8Array(pieces.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
