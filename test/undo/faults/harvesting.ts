import type { Fault } from '../fault.ts';

const CLIENT = 'packages/client/src';
const FEED = `${CLIENT}/dumps.ts`;
const ARGUMENTS = 'packages/system/src/parse-arguments.ts';
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
    guard: [
      'test/commands/options.test.ts',
      'refuses options without a value, repeated ones, and values of flags, in one line',
    ],
    undo: [[ARGUMENTS, 'if (seen.has(name) && !array', "if (seen.has('') && !array"]],
  },
  {
    id: 'input-after-dashes',
    was: 'Arguments after `--` were dropped in silence.',
    guard: ['test/golden/golden.test.ts', 'what the programs say of'],
    undo: [[ARGUMENTS, 'if (rest.length > 0 && words', 'if (rest.length > 1e9 && words']],
  },
  {
    id: 'input-empty',
    was: 'An option without a value was dropped in silence, or ended with a stack.',
    guard: [
      'test/commands/options.test.ts',
      'refuses options without a value, repeated ones, and values of flags, in one line',
    ],
    undo: [[ARGUMENTS, 'if (isMissing) return', "if (isMissing && name === '') return"]],
  },
  {
    id: 'value-of-a-flag',
    was: '`--json=yes` meant that it was off.',
    guard: [
      'test/commands/options.test.ts',
      'refuses options without a value, repeated ones, and values of flags, in one line',
    ],
    undo: [[ARGUMENTS, '} else if (value !== undefined && !', '} else if (value === name && !']],
  },
  {
    id: 'stdout-full',
    was: 'A full stdout was a stack, and a closed one in archive-api.',
    guard: ['test/commands/options.test.ts', 'says in one line that stdout is full'],
    undo: [['packages/system/src/guard-output.ts', 'if (failed !== 0) stderr', 'if (failed === 2) stderr']],
  },
  {
    id: 'cut-body',
    was: 'A response that ended early was retried only once, depending on how its end is marked.',
    guard: ['packages/client/src/request/request.test.ts', 'is retried as often as allowed'],
    undo: [[REQUEST, 'throw isCut(text) ? cutError(url, bytes) : error', 'throw error']],
  },
  {
    id: 'not-utf-8',
    was: 'Bytes that are not UTF-8 were replaced, and harvested so.',
    guard: ['packages/client/src/request/request.test.ts', 'are refused'],
    undo: [['packages/client/src/request/check-answer.ts', '{ fatal: true }', '{ fatal: false }']],
  },
  {
    id: 'clock-of-the-server',
    was: 'A date of `Retry-After` was compared with the clock of the client.',
    guard: ['packages/client/src/request/request.test.ts', 'asks to wait'],
    undo: [
      [
        'packages/client/src/request/wait-hint.ts',
        'const serverNow = date === undefined ?',
        'const serverNow = date !== undefined ?',
      ],
    ],
  },
  {
    id: 'redirect-without-query',
    was: 'A redirect that drops the query was followed, and its answer shown.',
    guard: ['packages/client/src/request/request.test.ts', 'is refused'],
    undo: [
      ['packages/client/src/request/attempt.ts', 'if (lost !== undefined) throw', "if (lost === '') throw"],
    ],
  },
  {
    id: 'another-record',
    was: 'Another record than was asked for was shown.',
    guard: ['packages/client/src/create-client.test.ts', 'another record'],
    undo: [['packages/client/src/listing.ts', 'if (came.toLowerCase() === uuid.toLowerCase())', 'if (came)']],
  },
  {
    id: 'networks-of-no-proxy',
    was: 'Networks of `NO_PROXY` were reached through the proxy.',
    guard: ['apps/cli/src/use-proxies.test.ts', 'in NO_PROXY and'],
    undo: [['apps/cli/src/use-proxies.ts', "if (sign === '/') addresses", "if (sign === '') addresses"]],
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
