import { TooLargeError } from '../errors/request-errors.ts';

/**
 * Reads an answer's body as text, and stops when it grows beyond a limit: a small compressed answer can unfold
 * to any size.
 *
 * @param url what was asked for, named in errors
 * @param maxBytes the largest body that is read, in bytes after decompression
 * @param onBytes called whenever a part has come
 * @throws TooLargeError when the body is larger
 */
export async function readBody(
  url: string,
  response: Response,
  maxBytes: number,
  onBytes: () => void,
): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of parts(response.body)) {
    onBytes();
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new TooLargeError(url, maxBytes);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** The parts of a stream; leaving the loop early cancels it. Not every browser can iterate a stream itself. */
async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let whole = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) {
        whole = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!whole) await reader.cancel().catch(() => {});
  }
}
