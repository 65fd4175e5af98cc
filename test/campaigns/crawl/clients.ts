/**
 * Clients in a process of their own, which end after some seconds and print how they were answered: the number of answers of each
 * status, and how long each took in milliseconds. `crawlers` search for something else each time; `reader` reads pages of records, one
 * after another, with a pause.
 *
 *   node clients.ts crawlers|reader ADDRESS CLIENTS SECONDS WORDS|PATHS
 */
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const [role, address = '', clients, seconds, given = ''] = process.argv.slice(2);
const values = given.split(' ');
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
const end = performance.now() + Number(seconds) * 1_000;
const statuses: Record<string, number> = {};
const milliseconds: number[] = [];

async function ask(path: string): Promise<void> {
  const start = performance.now();
  const status = await new Promise<number>((resolve, reject) => {
    get(address + path, { agent }, (response) => {
      text(response).then(() => resolve(response.statusCode ?? 0), reject);
    }).on('error', reject);
  }).catch(() => 0);
  statuses[status] = (statuses[status] ?? 0) + 1;
  milliseconds.push(performance.now() - start);
}

async function crawl(client: number): Promise<void> {
  for (let at = client; performance.now() < end; at += 1) {
    const [one, other] = [values[at % values.length], values[(at * 7 + client) % values.length]];
    await ask(`/nl/zoeken/?q=${one}+OR+${other}&sort=${at % 2 ? 'date' : 'name'}&word=${client}-${at}`);
  }
}

async function read(): Promise<void> {
  for (let at = 0; performance.now() < end; at += 1) {
    await ask(values[at % values.length] ?? '/');
    await sleep(50);
  }
}

await Promise.all(
  Array.from({ length: Number(clients) }, (_, client) => (role === 'reader' ? read() : crawl(client))),
);
agent.destroy();
process.stdout.write(JSON.stringify({ statuses, milliseconds }));
