import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * `node test/same/faults.ts`: puts one fault after another into a copy of the built programs, and lets `main.ts` compare
 * the copy with this checkout. Exit code 1 if a fault is not seen.
 */

interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
  /** Addresses to compare, and what the report must say. */
  only: string;
  says: RegExp;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a header',
    file: 'apps/api/dist/http/headers.js',
    from: "'x-frame-options': 'DENY'",
    to: "'x-frame-options': 'SAMEORIGIN'",
    only: '/api/editions',
    says: /: x-frame-options/,
  },
  {
    name: 'an ETag',
    file: 'apps/api/dist/http/respond.js',
    from: '[version, software, request.url]',
    to: '[version, software, request.url, ""]',
    only: '/api/editions',
    says: /: etag/,
  },
  {
    name: 'the last digit of a score',
    file: 'apps/api/dist/http/routes/search.js',
    from: ': String(score)',
    to: ': String(score + 0.0001)',
    only: '/api/search?q=de&sort=name',
    says: /: content-length \(and \d+ more places\)/,
  },
  {
    name: 'a facet',
    file: 'apps/api/dist/edition/find-facets.js',
    from: 'count: counted.count',
    to: "count: counted.count + (counted.value === 'event' ? 1 : 0)",
    only: '/en/api/facets?q=de',
    says: /: facets\.kind\[\d\]\.count/,
  },
  {
    name: 'a byte of a dump',
    file: 'apps/api/dist/edition/dumps.js',
    from: "part === count - 1 ? tail : ''",
    to: "part === count - 1 ? tail + ' ' : ''",
    only: '/en/api/locations.geojson',
    says: /: (?:content-length|line|bytes)/,
  },
];

const HERE = resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(join(tmpdir(), 'archive-faults-'));
try {
  for (const app of ['api', 'cli'])
    await cp(join(HERE, 'apps', app), join(folder, 'apps', app), { recursive: true });
  for (const name of ['node_modules', 'packages']) await symlink(join(HERE, name), join(folder, name));
  for (const fault of FAULTS) {
    const file = join(folder, fault.file);
    const code = await readFile(file, 'utf8');
    if (!code.includes(fault.from))
      throw new Error(`${fault.file}: expected ${fault.from}, to be replaced by a fault`);
    await writeFile(file, code.replace(fault.from, fault.to));
    const args = ['--against', folder, '--engine', 'sqlite', '--each', '100', '--only', fault.only];
    const compared = spawn(process.execPath, [join(HERE, 'test/same/main.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [report, [exit]] = await Promise.all([text(compared.stdout), once(compared, 'close')]);
    const isSeen = exit === 1 && fault.says.test(report);
    process.stdout.write(`${fault.name}: ${isSeen ? 'seen' : `NOT SEEN\n${report}`}\n`);
    if (!isSeen) process.exitCode = 1;
    await writeFile(file, code);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
