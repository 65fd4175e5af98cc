import type { Fault } from '../fault.ts';

const BUNDLE = 'apps/api/src/publish/bundle';
const PARSING = `${BUNDLE}/record-schemas.test.ts`;
const CHECKING = `${BUNDLE}/check-bundle.test.ts`;
const SAYING = ['test/golden/golden.test.ts', 'what the programs say of'] as const;
const UNCHANGED = 'test/publish/unchanged.test.ts';
const LEASE = 'apps/api/src/storage/lease.ts';
const SWEEP = 'apps/api/src/publish/sweep-editions.ts';
const TAKEN_DOWN = 'test/publish/taken-down.test.ts';

/** Faults of bundles that are checked and published, and of the database. */
export const PUBLISHING: readonly Fault[] = [
  {
    id: 'lease-by-clock',
    was: 'A publish took over from a living one if the clocks of database nodes differed.',
    guard: [`${LEASE.replace('.ts', '.test.ts')}`, 'a renewed lease is not taken over, with a clock off by'],
    undo: [
      [
        LEASE,
        '(isUnchanged && reading - unchangedSince >= term)',
        '(isUnchanged && reading - unchangedSince >= term) || held.until < Date.now()',
      ],
    ],
  },
  {
    id: 'lease-never-taken-over',
    was: 'A publish waited for ever for the lease of a killed one, if the clock of its node was ahead.',
    guard: [
      `${LEASE.replace('.ts', '.test.ts')}`,
      'a lease that is not renewed is taken over after a term, with a clock off by',
    ],
    undo: [
      [
        LEASE,
        '(isUnchanged && reading - unchangedSince >= term)',
        '(isUnchanged && reading - unchangedSince >= term && held.until < Date.now())',
      ],
    ],
  },
  {
    id: 'lost-lease-writes',
    was: 'A publish whose lease another one had taken over could still switch the served edition.',
    guard: [
      `${LEASE.replace('.ts', '.test.ts')}`,
      'a lost lease aborts the work, rejects its commits, and does not affect the new holder',
    ],
    undo: [[LEASE, 'if ((await extend(open)) !== 1) throw new LeaseLostError();', 'await extend(open);']],
  },
  {
    id: 'rows-of-no-edition',
    was: 'Rows that a publish wrote after another one had deleted its edition stayed in the database.',
    guard: [`${SWEEP.replace('.ts', '.test.ts')}`, 'deletes rows without an edition'],
    undo: [
      [
        SWEEP,
        'if (!known) await deleteEntries(lease, id);',
        'if (!known && id === 0) await deleteEntries(lease, id);',
      ],
    ],
  },
  {
    id: 'supplements-stay',
    was: 'After `publish --keep 1`, the uuid and the known dates of a record that was taken down stayed in `texts`.',
    guard: [TAKEN_DOWN, 'is in no table and no file after a publish with --keep 1, while a server reads'],
    undo: [
      [
        'apps/api/src/storage/stored-texts.ts',
        'export const ALL_TEXTS = TEXT_KINDS.flatMap',
        'export const ALL_TEXTS = TEXT_KINDS.slice(0, 5).flatMap',
      ],
    ],
  },
  {
    id: 'free-pages-of-sqlite',
    was: 'The name of a record that was taken down stayed in free pages of an SQLite file.',
    guard: [TAKEN_DOWN, 'is in no table and no file after a publish with --keep 1, while a server reads'],
    undo: [
      ['apps/api/src/storage/sqlite-client.ts', 'PRAGMA secure_delete = ON', 'PRAGMA secure_delete = OFF'],
    ],
  },
  {
    id: 'log-of-sqlite',
    was: 'A record that was taken down stayed in the log of an SQLite file while a server read it.',
    guard: [TAKEN_DOWN, 'is in no table and no file after a publish with --keep 1, while a server reads'],
    undo: [['apps/api/src/publish/publish.ts', '  await truncateLog(lease.database, lease.signal);\n', '']],
  },
  {
    id: 'unchanged-keeps-derived',
    was: 'A publish that found nothing changed deleted editions, and left their search indexes.',
    guard: [TAKEN_DOWN, 'is in no table and no file when a publish with --keep 1 finds the rest unchanged'],
    undo: [
      [
        'apps/api/src/publish/publish.ts',
        'return { edition, isUnchanged: true, swept: await sweep(lease, options) };',
        'return { edition, isUnchanged: true, swept: await sweepEditions(lease, options.keep) };',
      ],
    ],
  },
  {
    id: 'bundle-changes',
    was: 'A bundle that changed while it was published could make an edition with a hole in it.',
    guard: ['test/editions/changes-of-records.test.ts', 'when it is read again is rejected'],
    undo: [
      [
        `${BUNDLE}/open-bundle.ts`,
        'if (before.get(path) !== sha256) throw',
        'if (before.get(path) === undefined) throw',
      ],
    ],
  },
  {
    id: 'unchanged-published',
    was: 'A publish of what is served already made a new edition.',
    guard: [
      'test/commands/bundle-commands.test.ts',
      'creates no new edition, and reports that; --force creates one',
    ],
    undo: [
      [
        'apps/api/src/publish/publish.ts',
        'options.force ? undefined : findServedFrom(database, source)',
        'options.force || options ? undefined : findServedFrom(database, source)',
      ],
      [
        'apps/api/src/publish/publish.ts',
        'if (written.isSame && ',
        'if (options.force && written.isSame && ',
      ],
    ],
  },
  {
    id: 'unchanged-writes',
    was: 'A publish of what is served already took the lease, and wrote the edition before it found out.',
    guard: [UNCHANGED, 'writes no row and no file, and takes no lease'],
    undo: [
      [
        'apps/api/src/publish/publish.ts',
        'if (same && keep > 1 && !(await hasMoreEditions(database, keep))) {',
        'if (same && keep < 1 && !(await hasMoreEditions(database, keep))) {',
      ],
    ],
  },
  {
    id: 'record-too-large',
    was: 'A record of 8 MB passed on SQLite and cut the connection to MariaDB.',
    guard: [PARSING, 'the size limit counts the fields of a record, not embedded records'],
    undo: [
      [`${BUNDLE}/record-schemas.ts`, 'if (size > LARGEST_RECORD) {', 'if (size > 4 * LARGEST_RECORD) {'],
    ],
  },
  {
    id: 'nested-without-end',
    was: 'A record that was nested without end ended the program.',
    guard: [CHECKING, 'deep nesting is a fault of its line'],
    undo: [[`${BUNDLE}/field-schemas.ts`, 'if (depth === 0) return', 'if (depth === -1e9) return']],
  },
  {
    id: 'reference-to-another-kind',
    was: 'A subject reference by the address of a person was read as a reference to a subject.',
    guard: [PARSING, 'a reference by a URL of another kind is a fault'],
    undo: [
      [
        `${BUNDLE}/field-schemas.ts`,
        'if (found && (named === undefined || named === kind)) return found;',
        'if (found) return found;',
      ],
    ],
  },
  {
    id: 'description-with-bom',
    was: '`archive.json` could not begin with a byte order mark.',
    guard: [CHECKING, 'archive.json is read, also with a byte order mark'],
    undo: [
      [`${BUNDLE}/archive-description.ts`, "parseJson(text.replace(/^\\ufeff/, ''))", 'parseJson(text)'],
    ],
  },
  {
    id: 'description-controls',
    was: 'Texts of `archive.json` were not checked for control characters and halves of surrogate pairs.',
    guard: SAYING,
    undo: [
      [
        `${BUNDLE}/archive-description.ts`,
        'const bilingual = z.strictObject({ nl: plainText, en: plainText });',
        'const bilingual = z.strictObject({ nl: z.string(), en: z.string() });',
      ],
    ],
  },
  {
    id: 'faults-control-terminal',
    was: 'The faults of a bundle could control the terminal on which they were shown.',
    guard: [CHECKING, 'messages escape control characters and shorten long values'],
    undo: [
      [`${BUNDLE}/faults.ts`, 'return printable(`${describeOrigin(', 'return String(`${describeOrigin('],
    ],
  },
  {
    id: 'half-a-surrogate-pair',
    was: 'Half of a surrogate pair in a name made the documentation answer 500, in a path `publish` ended without a place.',
    guard: SAYING,
    undo: [
      [
        `${BUNDLE}/field-schemas.ts`,
        'if (control === undefined && value.isWellFormed()) return undefined;\n',
        'if (control === undefined) return undefined;\n',
      ],
    ],
  },
  {
    id: 'address-that-is-none',
    was: 'Addresses such as `http://host:port/` and hosts with directives of a policy were published.',
    guard: ['packages/types/src/web-address.test.ts', 'is not a web address'],
    undo: [
      [
        'packages/types/src/web-address.ts',
        'return url && HOST.test(url.hostname) ? url : undefined;',
        'return url && HOST.source ? url : undefined;',
      ],
    ],
  },
  {
    id: 'path-that-is-an-address',
    was: '`http:foo.jpg` was published as a path of a file.',
    guard: [PARSING, 'http:vos.jpg'],
    undo: [['apps/api/src/media-path.ts', '    !/^https?:/i.test(path) &&\n', '']],
  },
  {
    id: 'text-without-language',
    was: 'A text without a language, with nothing in `…_nl` or `…_en` beside it, was dropped in silence.',
    guard: [PARSING, 'a text without a language suffix is a fault if both languages are empty'],
    undo: [
      [
        `${BUNDLE}/record-schemas.ts`,
        '!value[field] || value[nl] || value[en]) continue;',
        'value[field] || value[nl] || value[en]) continue;',
      ],
    ],
  },
  {
    id: 'fault-makes-faults',
    was: 'A record with a fault counted as missing, so that each reference to it was a fault too.',
    guard: SAYING,
    undo: [
      [
        `${BUNDLE}/check-bundle.ts`,
        "'record' in parsed ? parsed.record : standIn(parsed.known, at);",
        "'record' in parsed ? parsed.record : standIn({}, at);",
      ],
    ],
  },
  {
    id: 'array-named-jsonl',
    was: 'A JSON array, or a CSV file, that was named `.jsonl` got a fault for each line.',
    guard: SAYING,
    undo: [
      [
        `${BUNDLE}/open-bundle.ts`,
        'if (reason === undefined) continue;',
        'if (reason === undefined || reason) continue;',
      ],
    ],
  },
  {
    id: 'database-errors-tell-values',
    was: 'Errors of a database had the statement, with the values of records.',
    guard: [
      'apps/api/src/storage/database-errors.test.ts',
      'the message of a failed statement is its cause, without statement or values',
    ],
    undo: [
      [
        'apps/api/src/storage/database-errors.ts',
        'error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;',
        'error.message.startsWith(prefix) ? error.message.slice(0) : error.message;',
      ],
    ],
  },
  {
    id: 'database-errors-name-no-file',
    was: 'Errors of a database did not name its file and setting.',
    guard: ['apps/api/src/storage/database-errors.test.ts', 'an error of the file names the file'],
    undo: [
      [
        'apps/api/src/storage/database-errors.ts',
        '`DATABASE_URL: ${where}: ${cause}`',
        '`${cause}`.slice(where.length * 0)',
      ],
    ],
  },
  {
    id: 'identity-of-addresses',
    was: '`ssl-mode=VERIFY_IDENTITY` refused every IP address.',
    guard: ['test/database/tls.test.ts', 'an address that is not in the certificate'],
    undo: [
      [
        'apps/api/src/storage/mysql-client.ts',
        'connection.stream && isIP(host)',
        "connection.stream && isIP('')",
      ],
    ],
  },
  {
    id: 'idle-connections-cut',
    was: 'A publish failed if a proxy cut idle connections to the database.',
    guard: ['test/editions/idle-connections.test.ts', 'that are cut during a publish do not affect it'],
    undo: [
      [
        'apps/api/src/storage/mysql-client.ts',
        "connection.on('error', () => destroy(connection));",
        "connection.on('errors', () => destroy(connection));",
      ],
    ],
  },
  {
    id: 'options-of-database-ignored',
    was: 'Options of `DATABASE_URL` that are not understood were ignored.',
    guard: ['apps/api/src/storage/database-url.test.ts', 'is rejected'],
    undo: [
      [
        'apps/api/src/storage/database-url.ts',
        "if (name !== 'ssl-mode' || others.length > 0)",
        "if (name === '' && others.length > 0)",
      ],
    ],
  },
  {
    id: 'unknown-dates',
    was: 'Dates of which less than a day is known became days on pages.',
    guard: [
      'test/publish/known-dates.test.ts',
      'are shown as known on pages, in lists and in structured data',
    ],
    undo: [
      [
        `${BUNDLE}/dates.ts`,
        'if (day !== edtf) dates[name] = edtf;',
        'if (day === edtf) dates[name] = edtf;',
      ],
    ],
  },
];
