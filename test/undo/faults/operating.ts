import type { Fault } from '../fault.ts';

const OUTAGES = 'test/campaigns/outages';
const SWITCHES = 'test/campaigns/switches';
const NO_ROOM = `${OUTAGES}/no-room.test.ts`;
const PUBLISH = 'apps/api/src/publish/publish.ts';
const WORKERS = 'apps/api/src/serve/workers.ts';

/** Faults of operation: load, outages, disks, workers, signals. */
export const OPERATING: readonly Fault[] = [
  {
    id: 'worker-hangs',
    was: 'A worker that hangs was never replaced.',
    guard: [`${SWITCHES}/killed-workers.test.ts`, 'responds as one process does, and replaces a worker that'],
    undo: [[WORKERS, 'missed !== MOST_MISSED) continue;', 'missed !== 1e9) continue;']],
  },
  {
    id: 'database-hangs',
    was: 'A database that hangs was a wait of a minute, or a 500.',
    guard: [
      `${OUTAGES}/deadlines.test.ts`,
      'while the database hangs: 503 in time, cached responses succeed, and the server ends on a signal',
    ],
    undo: [
      [
        'apps/api/src/storage/mysql-client.ts',
        'if (limit === undefined) return await answer;',
        'if (limit !== 0) return await answer;',
      ],
    ],
  },
  {
    id: 'idle-connections-fail',
    was: 'A request failed if the database had cut an idle connection.',
    guard: [`${OUTAGES}/deadlines.test.ts`, 'cut idle connections cause no errors'],
    undo: [
      [
        'apps/api/src/storage/mysql-client.ts',
        'if (!mayRepeat || !isConnectionLost(error)) throw error;',
        'throw error;',
      ],
    ],
  },
  {
    id: 'queue-without-end',
    was: 'Any number of requests waited when more work came than the server can do.',
    guard: [`${OUTAGES}/overload.test.ts`, 'gets 503 with Retry-After; cached responses are still sent'],
    undo: [
      [
        'apps/api/src/app.ts',
        'waiting: MOST_WAITING, milliseconds',
        'waiting: 1e6 * MOST_WAITING, milliseconds: 60 * milliseconds',
      ],
    ],
  },
  {
    id: 'downloads-without-end',
    was: 'Any number of downloads ran at once.',
    guard: [
      `${OUTAGES}/overload.test.ts`,
      'downloads have a separate limit, and free their slot when they end or are cut',
    ],
    undo: [
      [
        'apps/api/src/app.ts',
        'underWay: config.downloadsUnderWay,',
        'underWay: 1e6 * config.downloadsUnderWay,',
      ],
    ],
  },
  {
    id: 'pipelined-in-memory',
    was: 'Thousands of requests that one client sent ahead were answered at once, into memory.',
    guard: ['test/http/pipelining.test.ts', 'are not read while a response is blocked'],
    undo: [
      [
        'apps/api/src/serve/limited-server.ts',
        'if (answer && !answer.response.closed) {',
        'if (answer && !answer.response.closed && rest.length < 0) {',
      ],
    ],
  },
  {
    id: 'publish-goes-on',
    was: 'Ctrl-C and SIGTERM did not end a publish.',
    guard: [`${SWITCHES}/signals.test.ts`, 'ends at once with'],
    undo: [['apps/api/src/commands/publish.ts', '      signal,\n      onWait:', '      onWait:']],
  },
  {
    id: 'left-before-room',
    was: 'On a disk that a killed publish had filled, the next one found no room.',
    guard: [NO_ROOM, 'what a killed publish left is deleted before the next one looks for room'],
    undo: [[PUBLISH, '      await sweepLeftovers(lease);\n      await derived.sweep();\n', '']],
  },
  {
    id: 'disk-filled',
    was: 'A publish began without room, and filled the disk.',
    guard: [NO_ROOM, 'a publish reports how much space it needs where, and changes nothing'],
    undo: [[PUBLISH, 'if (free >= needed) continue;', 'if (free >= 0 * needed) continue;']],
  },
  {
    id: 'tables-refused',
    was: '`publish` by a user of the database who may not create tables, before `migrate`, told an error of the server alone.',
    guard: ['test/campaigns/deploy/rights.test.ts', 'only migrate can create the tables'],
    undo: [
      [
        'apps/api/src/storage/schema.ts',
        'if (!isAccessDenied(error)) throw error;',
        'if (!isAccessDenied(error) || Date.now() > 0) throw error;',
      ],
    ],
  },
  {
    id: 'search-before-lists',
    was: 'A server that starts without a search index served nothing until it was built.',
    guard: [
      `${OUTAGES}/missing-index.test.ts`,
      'serves lists, records and dumps at once; search and readiness follow',
    ],
    undo: [
      [
        'apps/api/src/edition/follow-editions.ts',
        'await current?.search.begin();',
        'await current?.search.open();',
      ],
    ],
  },
  {
    id: 'other-bytes-by-chance',
    was: 'Compressed dumps with one strong ETag had other bytes now and then, with zstd.',
    guard: [
      'test/campaigns/harvests/dump-bodies.test.ts',
      'with one strong ETag have the same bytes every time',
    ],
    undo: [
      [
        'apps/api/src/http/send.ts',
        'if (chunk.length > 0) await write(chunk);',
        'if (chunk.length > 0) void write(chunk);',
      ],
    ],
  },
  {
    id: 'controls-in-print',
    was: 'A printed page had its search button, filters and headings of maps.',
    guard: [
      'test/campaigns/pages/presentation.test.ts',
      'are printed without empty forms and headings; the query of a search stays',
    ],
    undo: [['packages/site/assets/site.css', '    button,\n    .help,\n    .sorts,\n    .refine,\n', '']],
  },
  {
    id: 'names-in-another-form',
    was: '`/media/` did not find a name that is stored in another Unicode form.',
    guard: ['test/http/media.test.ts', 'is found, whose name is stored in another Unicode form'],
    undo: [
      [
        'apps/api/src/media-file.ts',
        "if (path.normalize('NFC') === path.normalize('NFD')) return undefined;",
        'if (path.normalize() !== folder) return undefined;',
      ],
    ],
  },
  {
    id: 'line-ends-escaped',
    was: 'On a terminal, the line ends of CSV were shown as `\\u000d`.',
    guard: ['packages/system/src/terminal.test.ts', 'tabs and line ends are kept with keepLines'],
    undo: [['packages/system/src/terminal.ts', '(?![\\\\n\\\\t]|\\\\r\\\\n)', '(?![\\\\n\\\\t])']],
  },
  {
    id: 'csv-in-one-go',
    was: 'A part of a CSV dump of very long texts was made in one go; other requests, `/health` among them, waited.',
    guard: [
      'test/bulk/long-texts.test.ts',
      'other requests are answered while a CSV file of long texts is made',
    ],
    undo: [['apps/api/src/edition/dump-parts.ts', '          await pause();\n', '']],
  },
  {
    id: 'worker-dies-at-once',
    was: 'The death of a worker right after its start ended the server, if no other had reported that it is ready.',
    guard: ['test/operate/workers.test.ts', 'a worker that dies as soon as it listens is replaced'],
    undo: [
      [WORKERS, 'onReady: () => report(),', 'onReady: () => {},'],
      [WORKERS, 'const REPORT_MILLISECONDS = 100;', 'const REPORT_MILLISECONDS = 2_000;'],
    ],
  },
];
