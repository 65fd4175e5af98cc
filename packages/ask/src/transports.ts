import type { Readable, Writable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AskedArchive } from './archive.ts';
import { createArchiveServer } from './server.ts';

/** Limit of the messages of a batch, which one request to the archive answers. */
const MOST_MESSAGES = 10;

/** Answers a POST of the protocol, from an archive and a program of a version. */
export async function answerOverHttp(
  archive: AskedArchive,
  version: string,
  request: Request,
): Promise<Response> {
  const parsedBody = parse(await request.clone().text());
  if (Array.isArray(parsedBody) && parsedBody.length > MOST_MESSAGES) {
    const error = { code: -32600, message: `Invalid Request: at most ${MOST_MESSAGES} messages in a batch` };
    return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
  }
  return await createMcpHandler(() => createArchiveServer(archive, version), { maxSubscriptions: 0 }).fetch(
    request,
  );
}

/**
 * Speaks the protocol over two streams, until the first ends.
 *
 * @param version of the program
 * @param signal closes the connection
 * @param onError is told what is wrong with a message
 */
export async function serveOverStdio(
  archive: AskedArchive,
  version: string,
  {
    stdin,
    stdout,
    signal,
    onError,
  }: { stdin: Readable; stdout: Writable; signal: AbortSignal; onError(error: Error): void },
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => ended.resolve());
  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  const transport = new StdioServerTransport(stdin, stdout);
  const connection = serveStdio(() => createArchiveServer(archive, version), {
    ...{ transport, maxSubscriptions: 0, onerror: onError },
  });
  await ended.promise;
  await connection.close();
}

/** Undefined if it is not JSON, which the protocol answers. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
