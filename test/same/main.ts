import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../support/create-database.ts';
import { endAtLast, endLeftovers } from '../support/leftovers.ts';
import { findMysqlServer } from '../support/mysql-server.ts';
import { isAccepted, isContract, readAccepted } from './accepted.ts';
import { makeEditions } from './bundles.ts';
import { compareBuilds } from './compare-builds.ts';
import { Report } from './report.ts';

const USAGE = `npm run same -- --against CHECKOUT [options]: expected another built checkout

Compares what this checkout and another one, both built, publish, serve, print and harvest. Lines of
test/same/accepted.txt say which differences are meant. Exit code 1 if there are others.

  --against CHECKOUT     the other one; may be given more than once
  --bundle FOLDER        what to publish: by default the sample archive of the first of these, which both can read
  --each N               only every n-th page of a list, and record: for large archives
  --engine sqlite|mysql  only on this engine, instead of on both
  --only TEXT            only addresses that contain the text, and neither programs nor harvests
  --contract             only addresses of the wire contract, likewise
`;
const HERE = resolve(import.meta.dirname, '../..');
const ENGINES = ['sqlite', 'mysql'];

const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    bundle: { type: 'string' },
    each: { type: 'string', default: '1' },
    engine: { type: 'string', multiple: true, default: ENGINES },
    only: { type: 'string', default: '' },
    contract: { type: 'boolean', default: false },
  },
});
const isValid = /^[1-9]\d*$/.test(values.each) && values.engine.every((engine) => ENGINES.includes(engine));
if (values.against.length === 0 || !isValid) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const calledFrom = process.env['INIT_CWD'] ?? process.cwd();
const isPartial = values.contract || values.only !== '';
const isChosen = (path: string) =>
  path.includes(values.only) && (!values.contract || isContract(`GET ${path}`));
const accepted = readAccepted(await readFile(join(import.meta.dirname, 'accepted.txt'), 'utf8'));
const mysql = values.engine.includes('mysql') ? await findMysqlServer(process.env) : undefined;
if (values.engine.includes('mysql') && !mysql)
  throw new Error('there is no MySQL or MariaDB server; --engine sqlite does without');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endLeftovers().then(() => process.exit(130)));
}
const folder = await mkdtemp(join(tmpdir(), 'archive-same-'));
endAtLast(() => rm(folder, { recursive: true, force: true }));
const report = new Report((subject, difference) => isAccepted(accepted, subject, difference));
try {
  const bundle = values.bundle ?? join(values.against[0] ?? '', 'apps/api/sample');
  await makeEditions(resolve(calledFrom, bundle), folder);
  for (const against of values.against) {
    for (const engine of values.engine as Engine[]) {
      await compareBuilds([resolve(calledFrom, against), HERE], {
        ...{ engine, mysql: mysql?.url ?? null, each: Number(values.each), folder },
        ...{ isChosen, isPartial, report },
      });
    }
  }
} finally {
  await endLeftovers();
  await mysql?.stop();
}
process.stdout.write(report.summary());
const unused = isPartial ? [] : accepted.filter(({ uses }) => uses === 0);
for (const { number } of unused) process.stdout.write(`accepted.txt:${number}: accepts nothing: remove it\n`);
process.stdout.write(`accepted.txt has ${accepted.length} lines\n`);
process.exitCode = report.differing > 0 || unused.length > 0 ? 1 : 0;
