import { PassThrough } from 'node:stream';
import { runHere } from '../faults/run-here.ts';

/** An answer to a message of the Model Context Protocol. */
export interface Replied {
  status: number;
  /** Of the result, as JSON in UTF-8; 0 without one. */
  bytes: number;
  result: ReturnType<typeof JSON.parse>;
  error?: { code: number; message: string };
}

/** Sends a message, or several, to the server of an archive. */
export async function sendCall(origin: string, messages: unknown, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: typeof messages === 'string' ? messages : JSON.stringify(messages),
    ...(signal && { signal }),
  });
}

/** Sends a message, or several, to the server of an archive; returns the answers in the order of their ids. */
export async function sendMessages(origin: string, messages: unknown): Promise<Replied[]> {
  const response = await sendCall(origin, messages);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const lines = isStream ? text.split('\n').filter((line) => line.startsWith('data: {')) : [`data: ${text}`];
  const replies = lines.map((line) => JSON.parse(line.slice('data: '.length) || '{}'));
  return replies
    .toSorted((one, other) => one.id - other.id)
    .map(({ result, error }) => ({
      ...{ status: response.status, result, error },
      bytes: Buffer.byteLength(JSON.stringify(result) ?? ''),
    }));
}

/** A call of a tool, as a message. */
export function callOf(name: string, given: object, id = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
}

/** Calls a tool. @throws Error without an answer */
export async function callTool(origin: string, name: string, given: object): Promise<Replied> {
  const [reply] = await sendMessages(origin, callOf(name, given));
  if (!reply) throw new Error(`${name}: no answer`);
  return reply;
}

const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Greets `archive-cli mcp`, and sends it messages. Their ids are 2 or more. @returns the replies, that to the greeting first */
export async function speakOverStdio(baseUrl: string, messages: readonly unknown[]) {
  const stdin = new PassThrough();
  const running = runHere(['mcp', '--base-url', baseUrl], {}, { stdin });
  for (const message of [HELLO, ...messages])
    stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  setTimeout(() => stdin.end(), 3_000);
  const { code, stdout, stderr } = await running;
  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, stderr, replies };
}
