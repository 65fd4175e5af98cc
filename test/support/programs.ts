import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject, type SuiteOptions } from 'vitest';
import { findBrowser } from './chromium.ts';
import { findProgram } from './find-program.ts';
import { HOW_TO_GET_MYSQL } from './mysql-server.ts';

/** A line of `.ci/programs`: a need of the tests in addition to git, npm, Node, a shell and coreutils. */
export interface Need {
  /** A program (`a|b`: either), the path of a file, or a name of `FEATURES`. */
  name: string;
  /** The Debian package that contains it; undefined if there is none. */
  package: string | undefined;
  /** Whether it is optional on CI. */
  optional: boolean;
}

/** The needs that this machine meets: the path of each, by name. */
export type Found = Readonly<Record<string, string>>;

declare module 'vitest' {
  interface ProvidedContext {
    /** The names of `.ci/programs`. */
    needs: readonly string[];
    /** Those of them that this machine has. */
    found: Found;
  }
  interface TaskMeta {
    /** The needs of a test, or of every test of a suite: names in `.ci/programs`. */
    needs?: readonly string[];
  }
}

/** A need that is neither a program nor a file. */
interface Feature {
  what: string;
  /** How to get it: a sentence. */
  how: string;
  /** Where it is; undefined if this machine has none. */
  find(path: string): Promise<string | undefined>;
}

const FEATURES: Readonly<Record<string, Feature>> = {
  'database-server': {
    what: 'a MySQL or MariaDB server',
    how: HOW_TO_GET_MYSQL,
    // Found by global-setup.ts, which may have to start and stop one.
    find: async () => undefined,
  },
  mysql8: {
    what: 'a MySQL server',
    how: 'Name one in TEST_MYSQL8_URL (mysql://user:password@host:port/, allowed to create databases).',
    find: async () => process.env['TEST_MYSQL8_URL'] || undefined,
  },
  browser: {
    what: 'a browser',
    how: 'The browser that npm ci installs does not start here: install another (Debian: apt-get install chromium).',
    find: async (path) => (await findBrowser(path))?.executablePath,
  },
  namespaces: {
    what: 'mount namespaces',
    how: 'The kernel has to allow: unshare --map-root-user --mount.',
    find: async () => {
      const tried = promisify(execFile)('unshare', ['--map-root-user', '--mount', 'true']);
      return await tried.then(
        () => 'unshare',
        () => undefined,
      );
    },
  },
  ipv6: {
    what: 'IPv6',
    how: 'The machine has to have an IPv6 address, such as ::1.',
    find: async () => {
      const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
      return addresses.find(({ family }) => family === 'IPv6')?.address;
    },
  },
  root: {
    what: 'root',
    how: 'Run the tests as root.',
    find: async () => (process.getuid?.() === 0 ? 'root' : undefined),
  },
  standards: {
    what: 'the schemas of standards',
    how: 'They are no part of the project: name their folder in TEST_STANDARDS (schema-ap-nde-shacl.ttl, nde-dataset-shacl.ttl, reconciliation-0.2).',
    find: async () => await findProgram(resolve(process.env['TEST_STANDARDS'] ?? STANDARDS), '/'),
  },
  mirador: {
    what: 'Mirador',
    how: 'It would bring 161 packages: name its file in TEST_MIRADOR (mirador.min.js of npm pack mirador@4).',
    find: async () => process.env['TEST_MIRADOR'] || undefined,
  },
  'real-archive': {
    what: 'the archive of Amsterdam',
    how: 'It is no part of the project: name the folder of its bundle in TEST_AMSTERDAM_BUNDLE.',
    find: findRealArchive,
  },
};

/** Where the schemas of standards may be, from the root of the checkout. */
const STANDARDS = '../shared/data/standards';

const PROGRAMS = new URL('../../.ci/programs', import.meta.url);

/** The needs that `.ci/programs` lists. @throws Error naming an invalid line */
export async function readNeeds(): Promise<Need[]> {
  const lines = (await readFile(PROGRAMS, 'utf8')).split('\n');
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [name = '', from, mark, ...more] = line.split(' ');
      const isOptional = mark === 'optional';
      if (!from || more.length > 0 || (mark !== undefined && !isOptional)) {
        throw new Error(`.ci/programs: expected NAME PACKAGE, or NAME PACKAGE optional, got "${line}"`);
      }
      return { name, package: from === '-' ? undefined : from, optional: isOptional };
    });
}

/**
 * Looks for needs on this machine.
 *
 * @param path folders with programs, in the format of PATH
 */
export async function findNeeds(names: readonly string[], path: string): Promise<Found> {
  const places = await Promise.all(
    names.map(async (name) => [
      name,
      await (FEATURES[name]?.find ?? ((path) => findProgram(name, path)))(path),
    ]),
  );
  return Object.fromEntries(places.filter(([, place]) => place !== undefined));
}

/** A need as text: "a browser". */
export function describeNeed(name: string): string {
  return FEATURES[name]?.what ?? name;
}

/** How to get something that is missing: a sentence for each way. */
export function howToGet({ name, package: from }: Need): string[] {
  return [
    ...(from ? [`Install (Debian): apt-get install ${from}`] : []),
    ...(FEATURES[name] ? [FEATURES[name].how] : []),
  ];
}

/**
 * The options of a test or suite with needs. It is skipped if one is missing, and the summary of the run counts it. What needs more than a database server has the tag `programs`.
 *
 * @param names of `.ci/programs`
 * @throws Error for a name that is not in that file
 */
export function needs(...names: readonly string[]): SuiteOptions {
  const [found, known] = [inject('found'), inject('needs')];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`.ci/programs: expected a line for ${unknown.join(', ')}`);
  return {
    skip: names.some((name) => found[name] === undefined),
    meta: { needs: names },
    tags: names.some((name) => name !== 'database-server') ? ['programs'] : [],
  };
}

/** The path of something that a test needs; its name if this machine lacks it, because the test is then skipped. */
export function placeOf(name: string): string {
  return inject('found')[name] ?? name;
}

/** @throws Error if the folder in TEST_AMSTERDAM_BUNDLE does not exist */
async function findRealArchive(): Promise<string | undefined> {
  const folder = process.env['TEST_AMSTERDAM_BUNDLE'];
  if (!folder) return undefined;
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) throw new Error(`TEST_AMSTERDAM_BUNDLE: there is no folder ${folder}`);
  return folder;
}
