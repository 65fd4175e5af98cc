import type { Fault } from '../fault.ts';

const CLIENT = 'packages/client/src';
const FEED = `${CLIENT}/dumps.ts`;
const REQUEST = `${CLIENT}/request/request.ts`;
const LYING = `${CLIENT}/harvest/from-changes.test.ts`;

/** Faults of the client and of the command line that harvests. */
export const HARVESTING: readonly Fault[] = [
  {
    id: 'more-changes-than-promised',
    was: '`harvest --update` read a feed of changes with more lines than it promises to its end, which filled the disk.',
    guard: [LYING, 'is rejected, and little of it is stored'],
    undo: [[FEED, 'if (records > promised) throw shortfall();', '']],
  },
  {
    id: 'larger-changes-than-promised',
    was: '`harvest --update` read a feed of changes with more bytes than the archive says to have, without an end.',
    guard: [LYING, 'is rejected, and little of it is stored'],
    undo: [[FEED, 'if (bytes > mostBytes) throw', 'if (bytes > 1e6 * mostBytes) throw']],
  },
  {
    id: 'more-changes-than-records',
    was: '`harvest --update` believed a feed that promises more records than the archive says to have.',
    guard: [LYING, 'is rejected, and little of it is stored'],
    undo: [[FEED, 'if (added + changed <= asked.records && removed <= asked.removed)', 'if (added >= 0)']],
  },
  {
    id: 'not-a-number-percent',
    was: '`harvest` said `NaN%` of a kind without records.',
    guard: [
      'apps/cli/src/commands/progress.test.ts',
      'prints milestones without a terminal, none for a kind without records',
    ],
    undo: [
      [
        'apps/cli/src/commands/progress.ts',
        'reached > milestone && reached < 100',
        '!(reached <= milestone || reached >= 100)',
      ],
    ],
  },
  {
    id: 'server-behind',
    was: 'A harvest through a balancer ended when a server did not know the edition yet that another had named.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [[REQUEST, 'if (edition !== null) named.add(edition);', 'if (edition === null) named.add(url);']],
  },
  {
    id: 'dripping-server',
    was: 'A server that sent a byte now and then held the client and `archive-cli` for ever.',
    guard: [`${CLIENT}/request/request.test.ts`, 'a response that comes a byte at a time fails as too slow'],
    undo: [[`${CLIENT}/request/attempt.ts`, 'bytes += value.byteLength;', 'bytes += 1e6;']],
  },
  {
    id: 'unwritable-retried',
    was: 'A harvest asked again and again for a dump that fails on a record.',
    guard: [`${CLIENT}/request/request.test.ts`, 'does not retry a record that the server cannot write'],
    undo: [[`${CLIENT}/errors.ts`, "new Set(['unwritable-record'])", "new Set([''])"]],
  },
  {
    id: 'file-of-the-user',
    was: 'archive-cli wrote over files that it had not written.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        'apps/cli/src/formats/write-files.ts',
        'if (others.length > 0 && !force) {',
        "if (others.length > 0 && folder === '' && !force) {",
      ],
    ],
  },
  {
    id: 'input-given-twice',
    was: 'Of options that were given twice, one was dropped in silence.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        'apps/cli/src/commands/options.ts',
        'if (Array.isArray(value) && !several.includes(dashed(name))) {',
        "if (Array.isArray(value) && several.includes('')) {",
      ],
    ],
  },
  {
    id: 'input-after-dashes',
    was: 'Arguments after `--` were dropped in silence.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        'apps/cli/src/commands/options.ts',
        'if (!rest && Array.isArray(value) && value.length > 0) return',
        'if (!rest && Array.isArray(value) && value.length > 1e9) return',
      ],
    ],
  },
  {
    id: 'input-empty',
    was: 'An option with an empty value was dropped in silence.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      ['apps/cli/src/commands/options.ts', "if (value === '' || (Array", 'if (value === name || (Array'],
    ],
  },
  {
    id: 'hopeless-host-retried',
    was: 'A host that cannot be resolved was asked again and again.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        REQUEST,
        "if (error.reason === 'address' && !isReached) return 0;",
        "if (error.reason === 'address' && isReached) return 0;",
      ],
    ],
  },
  {
    id: 'terminal-of-servers',
    was: 'Texts of a server could control the terminal on which they were shown.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [
      [
        'packages/system/src/terminal.ts',
        'keepLines ? UNPRINTABLE_IN_LINES : UNPRINTABLE;',
        'keepLines ? UNPRINTABLE_IN_LINES : /(?!)/gu;',
      ],
    ],
  },
  {
    id: 'two-harvests-in-a-folder',
    was: 'A second harvest into a folder wrote into the files of the first.',
    guard: [
      'test/faults/signals.test.ts',
      'a folder that another process is harvesting into is rejected, and left unchanged',
    ],
    undo: [[`${CLIENT}/harvest/store.ts`, 'if (code === BUSY) {', 'if (code === -BUSY) {']],
  },
  {
    id: 'supplement-lost',
    was: 'A harvest lost what the records cannot say: subjects of events without a location, and what is known of dates.',
    guard: ['test/faults/supplement.test.ts', 'has what the supplement says, in each format'],
    undo: [
      [
        'apps/cli/src/commands/harvest.ts',
        'if (served) await takeSupplement',
        "if (served && edition === '') await takeSupplement",
      ],
    ],
  },
  {
    id: 'supplement-not-compared',
    was: 'A supplement that is not that of the manifest was stored.',
    guard: [
      'test/faults/supplement.test.ts',
      'a supplement with other bytes than the manifest names is refused',
    ],
    undo: [[`${CLIENT}/harvest/from-dumps.ts`, 'if (sha256 !== offered.sha256)', "if (sha256 === '')"]],
  },
];
