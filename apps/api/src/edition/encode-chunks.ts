import type { Chunk } from './assemble.ts';

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
