import type { Fault } from '../fault.ts';

const HTTP = 'test/http';
const ODD = `${HTTP}/odd-requests.test.ts`;
const MAKING = 'test/bulk/making-dumps.test.ts';
const ADMIN = 'apps/api/src/serve/admin-server.test.ts';

/** Faults of the server: connections, requests, responses, metrics. */
export const SERVING: readonly Fault[] = [
  {
    id: 'two-hosts',
    was: 'A request with two hosts was answered.',
    guard: ['test/http/odd-requests.test.ts', 'is a problem of ours'],
    undo: [
      ['apps/api/src/serve/limited-server.ts', 'joinDuplicateHeaders: true', 'joinDuplicateHeaders: false'],
    ],
  },
  {
    id: 'if-match-ignored',
    was: '`If-Match` was ignored.',
    guard: [
      'test/http/conditional.test.ts',
      'preconditions hold in the order of RFC 9110, also with a range',
    ],
    undo: [
      [
        'apps/api/src/http/headers.ts',
        "headers['if-match']?.trim()",
        "headers['if-matches']?.toString().trim()",
      ],
    ],
  },
  {
    id: 'robots-wildcards',
    was: '`robots.txt` kept only robots that understand wildcards from searches.',
    guard: ['test/docs/api-sentences.test.ts', 'neither search nor the API'],
    undo: [
      [
        'apps/api/src/http/routes/docs/docs-routes.ts',
        'Disallow: ${root}/${language}/',
        'Disallow: ${root}/*/',
      ],
    ],
  },
  {
    id: 'max-listeners',
    was: 'Node warned of listeners of a response between the lines of the log.',
    guard: ['test/docs/api-sentences.test.ts', 'the log has lines of JSON only'],
    undo: [
      [
        'apps/api/src/serve/limited-server.ts',
        'response.setMaxListeners(2 *',
        'response.setMaxListeners(0.5 *',
      ],
    ],
  },
  {
    id: 'if-range-date',
    was: '`If-Range` with a date was ignored.',
    guard: ['test/http/conditional.test.ts', 'preconditions hold in the order of RFC 9110'],
    undo: [
      [
        'apps/api/src/http/headers.ts',
        'httpDate(ifRange) === httpDate(lastModified)',
        'httpDate(ifRange) === Number.NaN',
      ],
    ],
  },
  {
    id: 'format-json',
    was: '`format=json` was refused.',
    guard: ['test/http/unknown-parameters.test.ts', 'persons?format=json'],
    undo: [
      [
        'apps/api/src/http/parameters.ts',
        "if (text === 'api' || text === 'json') return",
        "if (text === 'api') return",
      ],
    ],
  },
  {
    id: 'last-of-a-list',
    was: 'Of `fields=uuid&fields=title` only the last was read.',
    guard: ['test/http/unknown-parameters.test.ts', 'fields=uuid&fields=title'],
    undo: [
      [
        'apps/api/src/http/parameters.ts',
        'parameter.isList ? listOf',
        'parameter.isList && name.length > 99 ? listOf',
      ],
    ],
  },
  {
    id: 'stop-resets',
    was: 'A server that was stopped reset kept connections on which a request was arriving.',
    guard: [
      'apps/api/src/serve/serve-here.test.ts',
      'eight clients that send one request after the other are told to close, and none is reset',
    ],
    undo: [
      [
        'apps/api/src/serve/serve-here.ts',
        'TcpServer.prototype.close.call(server);',
        'TcpServer.prototype.close.call(server);\n  server.closeIdleConnections();',
      ],
      [
        'apps/api/src/serve/serve-here.ts',
        '    response.shouldKeepAlive = false;',
        '    response.shouldKeepAlive = true;',
      ],
    ],
  },
  {
    id: 'search-time-zero',
    was: '`searchMilliseconds` in the log was always 0.',
    guard: [
      'test/operate/log.test.ts',
      'has its level as a word, its status, and the times of search and database',
    ],
    undo: [
      [
        'apps/api/src/http/trace.ts',
        'const { search } = traces.getStore() ?? {};',
        'const { search } = {} as Partial<Trace>;',
      ],
    ],
  },
  {
    id: 'level-number',
    was: '`level` in the log was a number.',
    guard: [
      'test/operate/log.test.ts',
      'has its level as a word, its status, and the times of search and database',
    ],
    undo: [
      [
        'apps/api/src/commands/serve.ts',
        'const options = { level, formatters: { level: (name: string) => ({ level: name }) } };',
        'const options = { level };',
      ],
    ],
  },
  {
    id: 'admin-pipelined',
    was: 'Requests that a client sent ahead to `ADMIN_PORT` held the process for half a minute.',
    guard: [ADMIN, 'a client that pipelines requests is disconnected at the second'],
    undo: [
      [
        'apps/api/src/serve/admin-server.ts',
        'server.maxRequestsPerSocket = 1;',
        'server.maxRequestsPerSocket = 0;',
      ],
    ],
  },
  {
    id: 'admin-methods',
    was: '`ADMIN_PORT` answered every method.',
    guard: [ADMIN, 'is refused'],
    undo: [['apps/api/src/serve/admin-server.ts', "!['GET', 'HEAD'].includes(method)", "method === ''"]],
  },
  {
    id: 'admin-rebound',
    was: 'Pages of other sites could read `ADMIN_PORT` on the loopback address, by a public name that leads there.',
    guard: [ADMIN, 'a request for the public host'],
    undo: [
      [
        'apps/api/src/serve/admin-server.ts',
        'return isLoopback && isPublic;',
        "return isLoopback && isPublic && name === '';",
      ],
    ],
  },
  {
    id: 'target-no-address',
    was: 'A target that is no address was a bare 500.',
    guard: [ODD, 'a target that is no URL'],
    undo: [
      [
        'apps/api/src/http/headers.ts',
        "|| !URL.canParse(url, 'http://archive')",
        "|| (url === '' && !URL.canParse(url, 'http://archive'))",
      ],
    ],
  },
  {
    id: 'redirect-body',
    was: 'Redirects had no body in the form of other answers.',
    guard: [ODD, 'has its target in JSON'],
    undo: [
      ['apps/api/src/http/send.ts', 'context.body = JSON.stringify({ location });', "context.body = '';"],
    ],
  },
  {
    id: 'docs-slash',
    was: '`/docs/`, with a slash at its end, led nowhere.',
    guard: [`${HTTP}/pages.test.ts`, '/docs/'],
    undo: [
      [
        'apps/api/src/http/respond.ts',
        "route.dependsOn && context.path !== '/' && context.path.endsWith('/')",
        "route.dependsOn && context.path === ''",
      ],
    ],
  },
  {
    id: 'first-bytes',
    was: 'A dump or map whose first bytes could not be made got no response, or a cut 200, in place of an error.',
    guard: [
      MAKING,
      'a file that fails at the start is an error; one that fails later is cut off, counted as failed and logged',
    ],
    undo: [
      [
        'apps/api/src/http/send.ts',
        "await once(stream, 'readable');",
        "void once(stream, 'readable').catch(() => {});",
      ],
    ],
  },
  {
    id: 'cut-counted',
    was: 'A dump that broke half-way was counted as 200 in `archive_requests_total`.',
    guard: [
      MAKING,
      'a file that fails at the start is an error; one that fails later is cut off, counted as failed and logged',
    ],
    undo: [
      [
        'apps/api/src/http/errors.ts',
        'const problem = toProblem(error.cause);\n    noteInTrace({ problem });',
        'const problem = toProblem(error.cause);',
      ],
    ],
  },
  {
    id: 'cut-logged',
    was: 'A dump that broke half-way was not logged with its URL.',
    guard: [
      MAKING,
      'a file that fails at the start is an error; one that fails later is cut off, counted as failed and logged',
    ],
    undo: [
      [
        'apps/api/src/http/errors.ts',
        "logFailure(log, error.cause, problem, context, 'a response was cut off');",
        "log.warn({ err: error.cause }, 'a response was cut off');",
      ],
    ],
  },
  {
    id: 'range-of-unknown-size',
    was: '`Content-Range` had `*` for the size of a file, which Varnish refuses.',
    guard: ['test/bulk/dumps.test.ts', 'is that part of the file'],
    undo: [
      [
        'apps/api/src/http/send.ts',
        '`bytes ${range.start}-${range.end - 1}/${size}`',
        '`bytes ${range.start}-${range.end - 1}/*`',
      ],
    ],
  },
  {
    id: 'map-of-events',
    was: '`events.geojson` read a location once for each event there: 10,000 events at one place took four times as long.',
    guard: [
      MAKING,
      'a map of events reads each of their locations once: its text lists the ids of all its events',
    ],
    undo: [
      [
        'apps/api/src/edition/edition-reader.ts',
        'const locations = await readLocationsOfEvents({ edition, language }, positions);',
        `void readLocationsOfEvents;
      const embedded = bySlot('event', await fetchEmbedded({ edition, language }, 'event', positions, ['location']));
      const locations = new Map(
        texts.map((event) => [
          event.position,
          embeddedIn(embedded, event, 'location').map(({ text }) => parse<Location>(text))[0],
        ]),
      );`,
      ],
    ],
  },
];
