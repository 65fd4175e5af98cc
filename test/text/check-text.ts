import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What no file and no commit message may contain, and why. */
const FORBIDDEN: readonly [pattern: RegExp, why: string][] = [
  [/(?<![\w.~$}-])\/(?:root|work|home\/[\w-]+|Users\/[\w-]+)\//, 'a path of one machine'],
  [/@ts-(?:ignore|expect-error|nocheck)|biome-ignore|\bas unknown as\b/, 'a suppressed check'],
  [/\bTODO\b|\bFIXME\b|\b(?:test|describe|it)\.(?:only|skip|todo)\b/, 'unfinished'],
];

/** What a file refers to, relative to itself: modules, files and targets of links. */
const REFERENCE = /(?:\bfrom |\bimport |\bimport\(|\bnew URL\()'([^'\s]+)'|\]\((\.[^)\s#]+)/g;

/** The errors in the text of a file, such as `docs/api.md:7: a path of one machine: /home/me/`. */
export function faultsOf(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = FORBIDDEN.flatMap(([pattern, why]) => {
      const [match] = pattern.exec(line) ?? [];
      return match === undefined ? [] : [`${why}: ${match}`];
    });
    const outside = [...line.matchAll(REFERENCE)]
      .map(([, module, link]) => module ?? link ?? '')
      .filter((target) => target.startsWith('.') && normalize(join(dirname(path), target)).startsWith('..'))
      .map((target) => `outside the repository: ${target}`);
    return [...found, ...outside].map((fault) => `${path}:${index + 1}: ${fault}`);
  });
}

/** The errors of every file under version control, and of the messages of commits since the last tag. */
function faultsOfRepository(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const files = git('ls-files', '-z', '--', ':!package-lock.json', ':!test/text')
    .split('\0')
    .filter(existsSync);
  const [tag] = git('tag', '--sort=-creatordate', '--merged').split('\n');
  const messages = git('log', '--format=%B', ...(tag ? [`${tag}..HEAD`] : ['-1']));
  return [
    ...files.flatMap((path) => faultsOf(path, readFileSync(path, 'utf8'))),
    ...faultsOf('commit message', messages),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOfRepository();
  process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
