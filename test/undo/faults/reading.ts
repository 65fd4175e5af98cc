import type { Fault } from '../fault.ts';

const PAGES = 'test/http/pages.test.ts';
const HELD = 'test/http/held-edition.test.ts';
const ODD = 'test/editions/odd-records.test.ts';
const HEADERS = 'apps/api/src/http/headers.ts';
const FOLLOW = 'apps/api/src/edition/follow-editions.ts';

/** Faults of pages, and of editions that are followed, held and read. */
export const READING: readonly Fault[] = [
  {
    id: 'lists-wait-for-searches',
    was: 'Lists of a kind on pages, and their letters, waited for running searches, and could be 503.',
    guard: ['test/read/statements.test.ts', 'runs no search, which could wait for others'],
    undo: [
      [
        'apps/api/src/http/routes/pages/pages.ts',
        '  const start = (pageNumber - 1) * NAMES;',
        "  const start = (pageNumber - 1) * NAMES;\n  await reader.find({ clauses: [{ type: 'kind', kind }], excluded: [] }, NAMES, { order: 'date' });",
      ],
    ],
  },
  {
    id: 'picture-breaks-pages',
    was: 'A picture whose address is none made the page of its record, lists of names and the feed answer 500.',
    guard: [ODD, 'shows records with invalid pictures without them'],
    undo: [
      [
        'packages/site/src/record.ts',
        'fileObjectSchema.nullable().catch(null);',
        'fileObjectSchema.nullable();',
      ],
    ],
  },
  {
    id: 'record-breaks-lists',
    was: 'A record that cannot be shown made lists of names and the feed answer 500.',
    guard: [ODD, 'works without an invalid record'],
    undo: [
      [
        'apps/api/src/http/routes/pages/page-data.ts',
        '        } catch {\n          return [];\n        }',
        '        } catch (error) {\n          throw error;\n        }',
      ],
    ],
  },
  {
    id: 'policy-of-hosts',
    was: 'A `BASE_URL` with a host such as `a;script-src-elem` wrote directives into the policy of pages.',
    guard: ['apps/api/src/config.test.ts', 'invalid values of'],
    undo: [
      [
        'apps/api/src/config.ts',
        "const url = parseWebAddress(URL.parse(given)?.href ?? '');",
        "const url = URL.parse(URL.parse(given)?.href ?? '');",
      ],
    ],
  },
  {
    id: 'frames',
    was: '`X-Frame-Options` allowed frames that the policy of pages refuses.',
    guard: [
      'test/http/answers.test.ts',
      'every response varies by coding, and has its language, edition and request id',
    ],
    undo: [[HEADERS, "'x-frame-options': 'DENY'", "'x-frame-options': 'SAMEORIGIN'"]],
  },
  {
    id: 'assets-vary',
    was: 'Assets of pages said `Vary: Accept`, so that caches kept several of each.',
    guard: [PAGES, 'assets of pages have a hash in their name, and are immutable'],
    undo: [[HEADERS, "{ Vary: 'Accept-Encoding' }", "{ Vary: 'Accept, Accept-Encoding' }"]],
  },
  {
    id: 'page-without-slash',
    was: 'Addresses of pages without their final slash led nowhere.',
    guard: [PAGES, 'below any prefix, and only for GET and HEAD'],
    undo: [
      [
        'apps/api/src/http/routes.ts',
        "path.endsWith('/') && path !== '/' ? [path, path.slice(0, -1)] : path;",
        "path === '/' ? [path] : path;",
      ],
    ],
  },
  {
    id: 'any-coding',
    was: '`Accept-Encoding: *` was sent zstd, which not every client reads.',
    guard: ['test/http/answers.test.ts', 'Accept-Encoding'],
    undo: [
      [
        'apps/api/src/http/send.ts',
        "coding === 'identity' || named.includes(coding)",
        "coding === 'identity' || named.includes(coding) || named.includes('*')",
      ],
    ],
  },
  {
    id: 'parameter-not-utf8',
    was: 'A parameter that is not UTF-8 (`q=caf%e9`) found nothing without a word.',
    guard: ['test/http/odd-requests.test.ts', 'Latin-1, percent-encoded'],
    undo: [['apps/api/src/http/parameters.ts', "text.includes('\\u{FFFD}')", "text === '\\u{FFFD}'"]],
  },
  {
    id: 'opening-after-stop',
    was: 'A server that was stopped, or whose database failed, just when an index had been opened ended with an error.',
    guard: [
      'test/editions/follow-editions.test.ts',
      'an index that opens after the database was closed causes no error',
    ],
    undo: [
      [
        FOLLOW,
        'search.open().catch(() => {});',
        'if (!search.isOpen) void search.open().then(() => refresh());',
      ],
    ],
  },
  {
    id: 'older-switch',
    was: 'A server that reads from a replica that lags behind went back to an edition served before.',
    guard: ['test/editions/sequence.test.ts', 'a server ignores an older switch than the one it knows'],
    undo: [[FOLLOW, 'if (!served || served.sequence < sequence) return;', 'if (!served) return;']],
  },
  {
    id: 'held-by-number',
    was: 'An edition that is held could be read by its number.',
    guard: [HELD, 'responds to its number as to an unknown number'],
    undo: [[FOLLOW, 'return open?.edition.isHeld ? undefined : open;', 'return open;']],
  },
  {
    id: 'held-key-lost',
    was: 'Links of the pages of a held edition led to the served one.',
    guard: [HELD, 'can be read through its pages: every link to a page or data keeps the key'],
    undo: [
      [
        'apps/api/src/http/routes/pages/page-data.ts',
        'edition: named ?? undefined }',
        'edition: named === null ? undefined : undefined }',
      ],
    ],
  },
  {
    id: 'held-kept-by-caches',
    was: 'Caches kept answers of a held edition.',
    guard: [HELD, 'is served by its key, with no-store'],
    undo: [[HEADERS, "'Cache-Control': 'private, no-store',", "'Cache-Control': 'private',"]],
  },
  {
    id: 'stale-served',
    was: 'A server that was cut off from its database served a withdrawn record without end.',
    guard: [
      'test/database/max-stale.test.ts',
      'a server without its database responds 503 to everything after that time, cached pages too',
    ],
    undo: [
      [
        FOLLOW,
        'const isStale = () => maxStale !== undefined && performance.now() - confirmedAt > maxStale;',
        'const isStale = () => maxStale !== undefined && performance.now() - confirmedAt > 1e3 * maxStale;',
      ],
    ],
  },
  {
    id: 'serve-writes',
    was: '`serve` wrote to a database of MySQL or MariaDB.',
    guard: ['test/editions/only-reading.test.ts', 'gets the command to run if there are no tables'],
    undo: [
      [
        'apps/api/src/serve/serve-here.ts',
        "if (engine === 'sqlite') await",
        'if (engine !== undefined) await',
      ],
    ],
  },
  {
    id: 'derived-files-left',
    was: 'A node that only publishes did not delete the derived files of editions that are not kept.',
    guard: [
      'test/publish/taken-down.test.ts',
      'is in no table and no file when a publish with --keep 1 finds the rest unchanged',
    ],
    undo: [
      [
        'apps/api/src/publish/publish.ts',
        'const swept = await sweepEditions(lease, keep, before);\n  await derived.sweep();',
        'const swept = await sweepEditions(lease, keep, before);',
      ],
    ],
  },
  {
    id: 'rows-by-half-a-key',
    was: 'On SQLite, the records of a mixed page were looked up by a part of their key.',
    guard: ['test/read/statements.test.ts', 'every row is found by its full key'],
    undo: [
      [
        'apps/api/src/storage/texts.ts',
        "'entries.edition = ? and entries.kind = ? and",
        "'entries.edition = ? and +entries.kind = ? and",
      ],
    ],
  },
  {
    id: 'gauges-as-counters',
    was: 'Metrics that are no counters had names that end in `_total`.',
    guard: ['test/operate/metrics.test.ts', 'the metrics of serve'],
    undo: [
      [
        'apps/api/src/serve/metrics.ts',
        '  for (const name of REPLACED) registry.removeSingleMetric(name);\n',
        '',
      ],
    ],
  },
  {
    id: 'manifest-without-edition',
    was: 'The addresses in a manifest led to the next edition after a publish, so that its hashes did not hold.',
    guard: ['test/bulk/dumps.test.ts', 'has every file, with the size and blocks of JSON Lines'],
    undo: [
      [
        'apps/api/src/http/routes/dumps.ts',
        'url: `${baseUrl}/${language}${dump.path}?edition=${named}`',
        'url: `${baseUrl}/${language}${dump.path}`',
      ],
    ],
  },
];
