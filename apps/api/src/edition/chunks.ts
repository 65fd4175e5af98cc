/** A part of a body: text, or bytes that several parts share. */
export type Chunk = string | Buffer;

/** Encodes chunks as UTF-8: adjacent texts become one buffer, and shared bytes are not copied. */
export function encodeChunks(chunks: readonly Chunk[]): Buffer[] {
  const buffers: Buffer[] = [];
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) buffers.push(Buffer.from(text.join('')));
    text = [];
  };
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      text.push(chunk);
    } else {
      flush();
      buffers.push(chunk);
    }
  }
  flush();
  return buffers;
}
