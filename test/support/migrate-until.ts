import { connect } from '@archiefkast/archive-api/dist/storage/connect.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { configOf } from './database-of.ts';

/** A program that migrates the database of `DATABASE_URL`, and kills itself after `KILL_AT` responses to statements. */
const url = process.env['DATABASE_URL'] ?? '';
const last = Number(process.argv[2]);

const database = connect(configOf({ engine: url.startsWith('sqlite:') ? 'sqlite' : 'mysql', url }));
let answered = 0;
database.on('query-response', () => {
  answered += 1;
  if (answered === last) process.kill(process.pid, 'SIGKILL');
});
// A short lease, so that the next process soon gets it.
await migrate(database, { term: 300 });
await database.destroy();
