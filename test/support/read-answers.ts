import type { Socket } from 'node:net';

/** One of several responses on a connection. */
export interface RawAnswer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/**
 * Reads the responses on a connection, each with a `Content-Length`, until it ends or `count` have arrived.
 *
 * @throws Error if a response has no length, or is incomplete
 */
export async function readAnswers(socket: Socket, most = Number.POSITIVE_INFINITY): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let parts: Buffer[] = [];
  let bytes = 0;
  let wanted = 1;
  for await (const part of socket as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes < wanted) continue;
    let rest = Buffer.concat(parts);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n') + 4;
      wanted = rest.length + 1;
      if (end === 3) break;
      const [first = '', ...lines] = rest.toString('latin1', 0, end).trimEnd().split('\r\n');
      const headers = new Map(lines.map((line) => splitHeader(line)));
      const length = headers.get('content-length');
      if (length === undefined) throw new Error(`a response has no Content-Length: ${first}`);
      wanted = end + Number(length);
      if (rest.length < wanted) break;
      answers.push({ status: Number(first.split(' ')[1]), headers, body: rest.subarray(end, wanted) });
      rest = rest.subarray(wanted);
    }
    parts = [rest];
    bytes = rest.length;
    if (answers.length >= most) return answers;
  }
  if (bytes > 0) throw new Error(`the connection ended within a response, after ${bytes} bytes of it`);
  return answers;
}

function splitHeader(line: string): [string, string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
}
