import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fold } from '../../../apps/api/src/search/fields/fold.ts';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { findMysqlServer } from '../../support/mysql-server.ts';
import { createVocabulary } from '../words.ts';
import { createArchiveIndex } from './archive-candidate.ts';
import type { Candidate } from './candidate.ts';
import { createMysqlFullText, createMysqlRowScan } from './mysql-candidates.ts';
import { createDictionary, createFullText, createRowScan, createTrigrams } from './sqlite-candidates.ts';

/**
 * Measures ways to search, side by side: for count and first page of field values and of texts, how long each takes,
 * how long it takes to build and how large it is. All must find the same number of hits. The decisions on search in
 * docs/decisions cite it: `node test/bench/search-alternatives/main.ts [--records 200000] [--no-mysql]`.
 */
const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    records: { type: 'string', default: '200000' },
    mysql: { type: 'boolean', default: true },
  },
});

/** Times each question is asked; the fastest is told, which other work of the machine disturbs least. */
const ROUNDS = 7;
/** Words of a text. */
const TEXT_WORDS = 100;

const records = Number(options.records);
const random = createRandom(1);
const vocabulary = createVocabulary(random, records);
const folder = await mkdtemp(join(tmpdir(), 'search-alternatives-'));
const mysql = options.mysql ? await findMysqlServer(process.env) : undefined;

/** The fewest milliseconds that an answer takes, after a first one that is not counted. */
async function time(candidate: Candidate, wanted: string): Promise<{ count: number; milliseconds: number }> {
  const { count } = await candidate.answer(wanted);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await candidate.answer(wanted);
    times.push(performance.now() - started);
  }
  return { count, milliseconds: Math.min(...times) };
}

async function measure(
  title: string,
  values: readonly string[],
  wanted: readonly string[],
  candidates: (() => Candidate | Promise<Candidate>)[],
): Promise<void> {
  process.stdout.write(`\n${title}: ${values.length} values, count and first page in ms\n`);
  const counts = new Map<string, number>();
  for (const create of candidates) {
    const candidate = await create();
    const started = performance.now();
    await candidate.build(values);
    const seconds = (performance.now() - started) / 1000;
    const cells: string[] = [];
    for (const value of wanted) {
      const { count, milliseconds } = await time(candidate, value);
      if (count !== (counts.get(value) ?? count)) {
        throw new Error(`${candidate.name}: ${value}: expected ${counts.get(value)} hits, got ${count}`);
      }
      counts.set(value, count);
      cells.push(`${value} (${count}) ${milliseconds.toFixed(1)}`);
    }
    const megabytes = (await candidate.size()) / 1e6;
    process.stdout.write(
      `| ${[candidate.name, ...cells, `${seconds.toFixed(1)} s`, `${megabytes.toFixed(0)} MB`].join(' | ')} |\n`,
    );
    await candidate.close();
  }
}

const file = join(folder, 'candidate.sqlite');
const fieldCandidates = [
  () => createArchiveIndex(file, 'last_name', (wanted) => `last_name:${wanted}`),
  () => createRowScan(file),
  () => createDictionary(file),
  () => createTrigrams(file),
  ...(mysql ? [() => createMysqlRowScan(mysql.url)] : []),
];
const asked = ['a', 'an', 'berg', 'nobody'];
const lastNames = Array.from({ length: Math.round(records * 0.35) }, () => fold(vocabulary.lastName()));
await measure('Last names, of which many are the same', lastNames, asked, fieldCandidates);
const titles = Array.from({ length: records }, () => {
  return fold(`${vocabulary.firstName()} ${vocabulary.word()} ${vocabulary.lastName()}`);
});
await measure('Titles, of which few are the same', titles, asked, fieldCandidates);

const texts = Array.from({ length: records }, () =>
  Array.from({ length: TEXT_WORDS }, () => fold(vocabulary.word())).join(' '),
);
await measure('Texts', texts, wordsBySpread(texts), [
  () => createArchiveIndex(file, 'content_nl', (wanted) => wanted),
  () => createFullText(file),
  ...(mysql ? [() => createMysqlFullText(mysql.url)] : []),
]);

await mysql?.stop();
await rm(folder, { recursive: true });

/** Words that are in about 90, 18, 5 and 0.5 % of the texts, of four letters or more: InnoDB skips short ones. */
function wordsBySpread(all: readonly string[]): string[] {
  const spread = new Map<string, number>();
  for (const text of all) {
    for (const word of new Set(text.split(' '))) {
      if (word.length > 3) spread.set(word, (spread.get(word) ?? 0) + 1);
    }
  }
  const byCount = [...spread].sort(([, a], [, b]) => b - a);
  return [0.9, 0.18, 0.05, 0.005].flatMap((share) => {
    return byCount.find(([, count]) => count <= share * all.length)?.[0] ?? [];
  });
}
