import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject, type SuiteOptions } from 'vitest';
import { findBrowser } from './chromium.ts';
import { findProgram } from './find-program.ts';
import { HOW_TO_GET_MYSQL } from './mysql-server.ts';

/** A line of `.ci/programs`: what tests need of the machine beside git, npm, Node, a shell and coreutils. */
export interface Need {
  /** A program (`a|b`: either), the path of a file, or a name of `FEATURES`. */
  name: string;
  /** The Debian package that has it; undefined where none has. */
  package: string | undefined;
  /** Whether a run on CI may lack it. */
  optional: boolean;
}

/** What this machine has: where each need is, by its name. */
export type Found = Readonly<Record<string, string>>;

declare module 'vitest' {
  interface ProvidedContext {
    /** The names of `.ci/programs`. */
    needs: readonly string[];
    /** What this machine has of them. */
    found: Found;
  }
  interface TaskMeta {
    /** What a test, or every test of a suite, needs of the machine: names of `.ci/programs`. */
    needs?: readonly string[];
  }
}

/** A need that is neither a program nor a file. */
interface Feature {
  what: string;
  /** How a machine gets it: a sentence. */
  how: string;
  /** Where it is; undefined where this machine has none. */
  find(path: string): Promise<string | undefined>;
}

const FEATURES: Readonly<Record<string, Feature>> = {
  'database-server': {
    what: 'a MySQL or MariaDB server',
    how: HOW_TO_GET_MYSQL,
    // global-setup.ts finds it, because it may have to start and stop one.
    find: async () => undefined,
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
  root: {
    what: 'root',
    how: 'Run the tests as root.',
    find: async () => (process.getuid?.() === 0 ? 'root' : undefined),
  },
  'real-archive': {
    what: 'the archive of Amsterdam',
    how: 'It is no part of the project: name the folder of its bundle in TEST_AMSTERDAM_BUNDLE.',
    find: findRealArchive,
  },
};

const PROGRAMS = new URL('../../.ci/programs', import.meta.url);

/** Beside the project, where TEST_AMSTERDAM_BUNDLE does not say. */
const REAL_ARCHIVE = fileURLToPath(new URL('../../../shared/data/amsterdam', import.meta.url));

/** The needs that `.ci/programs` lists. @throws Error naming a line that is not one */
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
 * @param path folders with programs, as in the environment's PATH
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

/** What the needs are, for people: "varnishd and a browser". */
export function describeNeeds(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names.map((name) => FEATURES[name]?.what ?? name));
}

/** How a machine gets what it lacks: a sentence for each way. */
export function howToGet(missing: readonly Need[]): string[] {
  const packages = missing.flatMap((need) => need.package ?? []);
  return [
    ...(packages.length > 0 ? [`Install (Debian): apt-get install ${packages.join(' ')}`] : []),
    ...missing.flatMap(({ name }) => FEATURES[name]?.how ?? []),
  ];
}

/**
 * The options of a test or suite that needs something of the machine. Where that is missing it is left out, and the
 * last lines of the run name and count it.
 *
 * @param names of `.ci/programs`
 * @throws Error for a name that it lacks
 */
export function needs(...names: readonly string[]): SuiteOptions {
  const [found, known] = [inject('found'), inject('needs')];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`.ci/programs: expected a line for ${unknown.join(', ')}`);
  return { skip: names.some((name) => found[name] === undefined), meta: { needs: names } };
}

/** Where something is that a test needs; its name where this machine lacks it, for the test is left out then. */
export function placeOf(name: string): string {
  return inject('found')[name] ?? name;
}

/** @throws Error when TEST_AMSTERDAM_BUNDLE names a folder that does not exist */
async function findRealArchive(): Promise<string | undefined> {
  const named = process.env['TEST_AMSTERDAM_BUNDLE'];
  const folder = named || REAL_ARCHIVE;
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (named && !isThere) throw new Error(`TEST_AMSTERDAM_BUNDLE: there is no folder ${named}`);
  return isThere ? folder : undefined;
}
