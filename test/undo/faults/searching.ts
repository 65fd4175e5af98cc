import type { Fault } from '../fault.ts';

const FOUND = 'test/search/found-records.test.ts';
const QUERY = 'apps/api/src/search/query';
const READ = 'apps/api/src/search/read';
const THREAD = 'apps/api/src/search/thread/open-index.test.ts';
const INDEX = 'apps/api/src/derived/edition-index.ts';
const INDEX_TEST = 'apps/api/src/derived/edition-index.test.ts';

/** Faults of search, and of its index. */
export const SEARCHING: readonly Fault[] = [
  {
    id: 'gender-in-part',
    was: '`gender:male` found `female`.',
    guard: [FOUND, 'a value of gender as a whole'],
    undo: [
      [
        'apps/api/src/search/fields/search-fields.ts',
        "'Gender of a person; the whole value.', 'whole'",
        "'Gender of a person; the whole value.', 'contains'",
      ],
    ],
  },
  {
    id: 'minus-ignored',
    was: 'A `-` right before a free word was ignored.',
    guard: [FOUND, 'no record with an excluded word'],
    undo: [
      [
        `${QUERY}/parse-query.ts`,
        "const isExcluded = signs[0] === 'NOT';",
        "const isExcluded = signs[0] === 'never';",
      ],
    ],
  },
  {
    id: 'names-not-first',
    was: 'Who is called as the query says did not come first, if the words came in another order.',
    guard: [FOUND, 'has all words in its name'],
    undo: [
      [
        `${READ}/matchers.ts`,
        'return common === 0 ? 0 : (common * common) / (all * wanted);',
        'return common === 0 ? 0 : 0 * all * wanted;',
      ],
    ],
  },
  {
    id: 'misspelled-name',
    was: 'A misspelled name did not count as the nearest one: `rembrant` did not put Rembrandt first.',
    guard: [FOUND, 'is called nearly so'],
    undo: [
      [
        `${READ}/clause-scorer.ts`,
        "at < MOST_NEAR ? this.#index.words.nearest({ word, column: 'name' })",
        "at < 0 * MOST_NEAR ? this.#index.words.nearest({ word, column: 'name' })",
      ],
    ],
  },
  {
    id: 'events-of-a-city',
    was: '`kind:event city:Leiden` found nothing, though events took place there.',
    guard: [FOUND, 'events by the city of their location'],
    undo: [
      [
        `${QUERY}/parse-query.ts`,
        "return clause && kind === 'event' && isOfLocations(term)",
        "return clause && kind === 'event' && term.typed === '?'",
      ],
    ],
  },
  {
    id: 'numbers-as-text',
    was: 'Lists of names had `Amstel 120` before `Amstel 3`.',
    guard: [FOUND, 'sorts numbers in names by their value'],
    undo: [
      [
        'apps/api/src/search/build/sort-keys.ts',
        "digits.padStart(DIGITS, '0')",
        "digits.padStart(0 * DIGITS, '0')",
      ],
    ],
  },
  {
    id: 'date-that-no-record-has',
    was: '`birth_date:1620-1650`, which no date can contain, found nothing without a word.',
    guard: [FOUND, 'birth_date:1620-1650'],
    undo: [
      [
        `${QUERY}/parse-value.ts`,
        "if (isPartOfDate(value)) return { type: 'value', field, value };",
        "if (isPartOfDate(value) || !value.includes('..')) return { type: 'value', field, value };",
      ],
    ],
  },
  {
    id: 'field-of-another-kind',
    was: 'A field of another kind than `kind:` demands found nothing without a word.',
    guard: [FOUND, 'kind:person city:leiden'],
    undo: [
      [
        `${QUERY}/wanted-kind.ts`,
        'if (kind && term?.field) {',
        'if (kind && term?.field && term.start < 0) {',
      ],
    ],
  },
  {
    id: 'taken-for-words',
    was: 'Wildcards, weights and distances of other engines were taken for words.',
    guard: [`${QUERY}/foreign-syntax.test.ts`, ', and corrects it to '],
    undo: [
      [
        `${QUERY}/parse-query.ts`,
        'isQuoted ? undefined : foreignWord(text)',
        "foreignWord(isQuoted ? text : '')",
      ],
    ],
  },
  {
    id: 'initials-not-found',
    was: '`J.P. Calkoen` found no Johan Pieter, and `v.d.` no `van der`.',
    guard: [`${QUERY}/foreign-syntax.test.ts`, 'reads the abbreviated names of'],
    undo: [[`${QUERY}/parse-query.ts`, 'phrases = named ?? ', 'phrases = named?.slice(9) ?? ']],
  },
  {
    id: 'suggestions-of-later-words',
    was: 'Suggestions in which a later word begins so came before those that begin so.',
    guard: [FOUND, 'suggests first the values that begin so, and names the record of one that only it has'],
    undo: [[`${READ}/suggest.ts`, 'return a.rank - b.rank || b.count', 'return b.rank - a.rank || b.count']],
  },
  {
    id: 'suggestion-without-record',
    was: 'A suggestion that a single record has did not name it.',
    guard: [FOUND, 'suggests first the values that begin so, and names the record of one that only it has'],
    undo: [[`${READ}/suggest.ts`, '...(count === 1 && { uuid:', '...(count === 0 && { uuid:']],
  },
  {
    id: 'waiting-without-end',
    was: 'A search that waited for others had its whole second from when it began.',
    guard: [THREAD, 'rejects queries that time out while waiting'],
    undo: [
      [
        'apps/api/src/search/thread/open-index.ts',
        'new Gate({ underWay: 1, waiting: mostWaiting, milliseconds: timeout });',
        'new Gate({ underWay: 1, waiting: mostWaiting, milliseconds: 60 * timeout });',
      ],
      [
        'apps/api/src/search/thread/open-index.ts',
        'const timer = setTimeout(expire, Math.max(0, end - performance.now()));',
        'const timer = setTimeout(expire, end);',
      ],
    ],
  },
  {
    id: 'waiting-without-number',
    was: 'Any number of searches could wait.',
    guard: [THREAD, 'limits the number of waiting queries'],
    undo: [
      [
        'apps/api/src/search/thread/open-index.ts',
        'new Gate({ underWay: 1, waiting: mostWaiting, milliseconds: timeout });',
        'new Gate({ underWay: 1, waiting: 1e6 * mostWaiting, milliseconds: timeout });',
      ],
    ],
  },
  {
    id: 'search-of-nobody',
    was: 'A search was done although its client had left while it waited.',
    guard: [THREAD, 'does not start an aborted query'],
    undo: [
      [
        'apps/api/src/search/thread/open-index.ts',
        'await this.#gate.enter(signal).catch',
        'await this.#gate.enter().catch',
      ],
      [
        'apps/api/src/search/thread/open-index.ts',
        "signal?.addEventListener('abort', abort);",
        "signal?.addEventListener('aborted', abort);",
      ],
    ],
  },
  {
    id: 'lost-index',
    was: 'After a search index had been cut or deleted, search needed a restart.',
    guard: [INDEX_TEST, 'recovers without a restart after its file was'],
    undo: [[INDEX, 'if (asked === index) lose(asked, isDamaged, error);', '']],
  },
  {
    id: 'kept-edition-hangs',
    was: 'A search of a kept edition without an index hung until the index was built.',
    guard: [INDEX_TEST, 'refuses queries a second after a build has started, until it is complete'],
    undo: [
      [
        INDEX,
        'const soon = Promise.race([opened, sleep(PATIENCE_MILLISECONDS, undefined, { ref: false })]);',
        'const soon = opened;\n    void [PATIENCE_MILLISECONDS, sleep];',
      ],
    ],
  },
  {
    id: 'build-at-once-again',
    was: 'A build of an index that failed was tried again without longer pauses, and logged for each search.',
    guard: [
      INDEX_TEST,
      'logs each failed build once, and is tried again by queries after longer and longer pauses',
    ],
    undo: [[INDEX, 'FIRST_PAUSE_MILLISECONDS * 2 ** failures', 'FIRST_PAUSE_MILLISECONDS']],
  },
  {
    id: 'want-of-files',
    was: 'An index that could not be opened for want of files was built again.',
    guard: [INDEX_TEST, 'is not rebuilt if it cannot be opened temporarily'],
    undo: [
      [
        INDEX,
        'return error instanceof SearchIndexFormatError || error instanceof SearchIndexDamaged;',
        'return error instanceof Error;',
      ],
    ],
  },
  {
    id: 'marks-on-a-letter',
    was: 'A text of marks on one letter took quadratic time.',
    guard: [
      'apps/api/src/search/fields/fold.test.ts',
      'takes linear time in the number of marks on a letter',
    ],
    undo: [
      [
        'packages/site/src/fold.ts',
        "(run.length > MOST_MARKS ? run.replace(MANY_MARKS, '$1') : run)",
        '(run.length > 200_000 ? run.slice(0, 200_000) : run)',
      ],
    ],
  },
];
