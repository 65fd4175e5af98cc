import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Two of something: of the build to compare with, and of this one. */
export type Pair<Value> = readonly [before: Value, now: Value];

/** Does something with both at once. */
export async function both<Value, Made>(
  work: (value: Value, side: 0 | 1) => Promise<Made>,
  [before, now]: Pair<Value>,
): Promise<Pair<Made>> {
  return await Promise.all([work(before, 0), work(now, 1)]);
}

/** A pair of what `change` makes of each. */
export function mapPair<Value, Made>([before, now]: Pair<Value>, change: (value: Value) => Made): Pair<Made> {
  return [change(before), change(now)];
}

/** A request; its path begins with `/`. */
export interface Asked {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
}

/** A response as it came. Its headers include `status`, and `cut off` with the error that ended it early. */
export interface Answer {
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Sends requests to one server over kept connections. */
export type Ask = (asked: Asked) => Promise<Answer>;

/** Problems of a busy machine, not of a build: the request is sent again. */
const BUSY = /\/problems\/(?:search-timeout|search-busy|overloaded|database-unavailable)"/;
const MOST_TRIES = 6;

export function createAsk(port: number): Ask {
  const agent = new Agent({ keepAlive: true });
  return async (asked) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(port, agent, asked);
      const isBusy = answer.headers.get('status') === '503' && BUSY.test(answer.body.toString());
      if (!isBusy || tries === MOST_TRIES) return answer;
      await sleep(500 * tries);
    }
  };
}

async function send(port: number, agent: Agent, { method, path, headers = {} }: Asked): Promise<Answer> {
  const told = new Map<string, string>();
  const chunks: Buffer[] = [];
  const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }).end();
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (const [name, values = []] of Object.entries(response.headersDistinct))
      told.set(name, values.join(', '));
    told.set('status', String(response.statusCode));
    for await (const chunk of response) chunks.push(chunk);
  } catch (error) {
    // The server may close a kept connection just when it is used again.
    if (sent.reusedSocket && told.size === 0) return await send(port, agent, { method, path, headers });
    told.set('cut off', String(error));
  }
  return { headers: told, body: Buffer.concat(chunks) };
}

/** Sends bytes that need not be HTTP, after which the server closes the connection, and reads to its end. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  // A server may reset the connection after its response.
  socket.on('error', () => {});
  // Not ended here: a server need not respond to what is left of a connection that its client has ended.
  socket.write(bytes);
  await new Promise((done) => socket.on('close', done));
  return received;
}
