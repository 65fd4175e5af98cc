import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Two of something: of the build to compare with, and of this one. */
export type Pair<Value> = readonly [before: Value, now: Value];

/** Does something for both builds at once. */
export async function both<Value>(work: (side: 0 | 1) => Promise<Value>): Promise<Pair<Value>> {
  return await Promise.all([work(0), work(1)]);
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

/** A response as it came. `cut` is the error that ended it early. */
export interface Answer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  cut: string;
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
      const isBusy = answer.status === 503 && BUSY.test(answer.body.toString());
      if (!isBusy || tries === MOST_TRIES) return answer;
      await sleep(500 * tries);
    }
  };
}

async function send(port: number, agent: Agent, { method, path, headers = {} }: Asked): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((done, fail) => {
    request({ host: '127.0.0.1', port, agent, method, path, headers }, done).on('error', fail).end();
  });
  const chunks: Buffer[] = [];
  let cut = '';
  try {
    for await (const chunk of response) chunks.push(chunk);
  } catch (error) {
    cut = String(error);
  }
  const told = new Map<string, string>();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    told.set(name, values.join(', '));
  return { status: response.statusCode ?? 0, headers: told, body: Buffer.concat(chunks), cut };
}

/** Sends bytes that need not be HTTP, and reads to the end of the connection. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  return await text(socket);
}
