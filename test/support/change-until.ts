import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import { withPublishLease } from '@archiefkast/archive-api/dist/publish/publish-lease.js';
import { switchEdition } from '@archiefkast/archive-api/dist/publish/switch-edition.js';
import { connect } from '@archiefkast/archive-api/dist/storage/connect.js';
import { configOf } from './database-of.ts';
import { publishing } from './publishing.ts';

/**
 * A program that publishes a bundle (`publish <folder> <keep>`) or switches (`switch <edition>`) in the database of
 * `DATABASE_URL`, and kills itself at statement number `KILL_AT`: before it is sent (`KILL_WHEN=before`) or after its
 * response. Writes the number of statements if it completes.
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
// A short lease, so that the next process soon gets it.
const term = 300;
if (what === 'publish') {
  await publish(argument, { ...publishing(prepared, database), keep: Number(keep), term });
} else {
  await withPublishLease(database, { term }, (lease) => switchEdition(lease, Number(argument)));
}
await database.destroy();
process.stdout.write(`${statements}\n`);
