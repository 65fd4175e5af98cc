import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import { withPublishLease } from '@archiefkast/archive-api/dist/publish/publish-lease.js';
import { switchEdition } from '@archiefkast/archive-api/dist/publish/switch-edition.js';
import { connect } from '@archiefkast/archive-api/dist/storage/connect.js';
import { configOf } from './database-of.ts';
import { publishing } from './publishing.ts';

/**
 * A program: publishes a bundle (`publish <folder> <keep>`) or switches (`switch <edition>`) in the database of
 * `DATABASE_URL`, and kills itself when so many statements have been sent (`KILL_AT`), before the last of them is
 * (`KILL_WHEN=before`) or when it has been answered. Says how many there were when it comes to its end.
 */
const url = process.env['DATABASE_URL'] ?? '';
const killAt = Number(process.env['KILL_AT']);
const [what, argument = '', keep = ''] = process.argv.slice(2);

const engine = url.startsWith('sqlite:') ? 'sqlite' : 'mysql';
const prepared = { engine, url, folder: process.env['FOLDER'] ?? '' } as const;
const database = connect(configOf(prepared));
let statements = 0;
database.on(process.env['KILL_WHEN'] === 'before' ? 'query' : 'query-response', () => {
  statements += 1;
  if (statements === killAt) process.kill(process.pid, 'SIGKILL');
});
// Its lease is a short one: whoever comes next need not wait long.
const term = 300;
if (what === 'publish') {
  await publish(argument, { ...publishing(prepared, database), keep: Number(keep), term });
} else {
  await withPublishLease(database, { term }, (lease) => switchEdition(lease, Number(argument)));
}
await database.destroy();
process.stdout.write(`${statements}\n`);
