import { TooLargeError } from '../errors/request-errors.ts';
import type { Pace } from './pace.ts';

/**
 * Reads an answer's body as text, and stops when it grows beyond a limit: a small compressed answer can unfold
 * to any size.
 *
 * @param url what was asked for, named in errors
 * @param maxBytes the largest body that is read, in bytes after decompression
 * @param pace watches how fast it comes
 * @param onBytes called whenever a part has come
 * @throws TooLargeError when the body is larger; SlowAnswerError when it comes too slowly
 */
export async function readBody(
  url: string,
  response: Response,
  maxBytes: number,
  pace: Pace,
  onBytes: () => void,
): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  // Not every browser can iterate a stream itself.
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  pace.wait();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      onBytes();
      pace.take(part.value.byteLength);
      bytes += part.value.byteLength;
      if (bytes > maxBytes) throw new TooLargeError(url, maxBytes);
      text += decoder.decode(part.value, { stream: true });
      pace.wait();
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error;
  }
  return text + decoder.decode();
}
