import { connect } from '@archiefkast/archive-api/dist/storage/connect.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { configOf } from './database-of.ts';

/** A program: migrates the database of `DATABASE_URL`, and kills itself when so many statements have been answered. */
const url = process.env['DATABASE_URL'] ?? '';
const last = Number(process.argv[2]);

const database = connect(configOf({ engine: url.startsWith('sqlite:') ? 'sqlite' : 'mysql', url }));
let answered = 0;
database.on('query-response', () => {
  answered += 1;
  if (answered === last) process.kill(process.pid, 'SIGKILL');
});
// Its lease is a short one: whoever comes next need not wait long.
await migrate(database, { term: 300 });
await database.destroy();
