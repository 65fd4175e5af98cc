/** A part of a body: text, or bytes that several parts of the body share. */
export type Chunk = string | Buffer;

/** UTF-8; neighbouring texts become one buffer, and bytes that several chunks share are not copied. */
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
