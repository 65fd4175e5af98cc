import { readFileSync } from 'node:fs';
import { LANGUAGES } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ITSELF, serveDatabase, startShared, type TestArchive } from '../support/api-server.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send } from '../support/send.ts';
import { createTestDatabase } from '../support/test-database.ts';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = ['docs/api.md', 'docs/reference/problems.md']
  .map((page) => readFileSync(new URL(page, ROOT), 'utf8').replace(/^```.*?^```/gms, ''))
  .join('\n');

/** The sentences and rows of the document that name an address, a status or a header. */
const SENTENCES = DOCUMENT.split(/\n(?=\||\n|- |\d\. |#)/)
  .map((part) => part.replace(/\s+/g, ' ').trim())
  .flatMap((part) => (part.startsWith('|') ? [part] : part.split(/(?<=[.:;])\s+(?=[`A-Z])/)))
  .filter((sentence) =>
    /`\/|(?<![\d,])(?:20\d|30\d|4\d\d|50[03])(?![\d,]| records)|`(?:[A-Z]\w+(?:-\w+)+|ETag|Link|Vary|Range|Allow|Host)\b/.test(
      sentence,
    ),
  );

/** What stands for the placeholders of an address; kinds have their own uuid. */
const UUIDS = {
  person: uuidOf('person', 101),
  subject: uuidOf('subject', 1),
  location: uuidOf('location', 201),
  event: uuidOf('event', 301),
};
const KIND_OF = [
  [/subjects|onderwerpen/, 'subject'],
  [/locations|locaties/, 'location'],
  [/events|gebeurtenissen/, 'event'],
  [/./, 'person'],
] as const;
/** Addresses that are no resources, or need a setting, and those with parameters that must be there. */
const NO_RESOURCES = [
  '/api',
  '/media/',
  '/problems/',
  '/media/{path}',
  '/oembed',
  '/{lang}/api/changes?since=3',
  '/{lang}/api/changes.jsonl?since=3',
];
const NEEDED: Readonly<Record<string, string>> = {
  changes: '?since=1',
  'changes.jsonl': '?since=1',
  oai: '?verb=Identify',
};

const E = '/en/api';
const P = `${E}/persons`;
const DUMP = `${E}/dump/persons.jsonl`;
const JSON_FIRST = { Accept: 'application/json' };

/** A part of a sentence, a request that tries it, and the response: its headers, null for one that is not there, and its body. */
type Request = readonly [
  says: string,
  path: string,
  status: number,
  more?: {
    headers?: Record<string, string>;
    method?: string;
    has?: Record<string, string | null>;
    body?: string;
  },
];
interface Tried {
  requests: readonly Request[];
  /** Parts of sentences, and the test that tries each, because it needs a state of its own. */
  elsewhere: readonly (readonly [says: string, file: string, name: string])[];
}
const TRIED: Tried = parse(readFileSync(new URL('api-sentences.yaml', import.meta.url), 'utf8'));

describe('docs/api.md', () => {
  let archive: TestArchive;
  beforeAll(async () => {
    archive = await startShared('fixture', 'sqlite', { BASE_URL: ITSELF });
  });

  test('every sentence about an address, a status or a header is tried', () => {
    const says = [...TRIED.requests, ...TRIED.elsewhere].map(([part]) => part);
    const isTried = (sentence: string) => says.some((part) => sentence.includes(part));
    const onlyAddresses = (sentence: string) =>
      /`\//.test(sentence) && !/\b[345]\d\d\b|`[A-Z]\w+-\w+`/.test(sentence);
    expect(SENTENCES.length).toBeGreaterThan(100);
    expect(SENTENCES.filter((sentence) => !isTried(sentence) && !onlyAddresses(sentence))).toEqual([]);
    expect(says.filter((part) => !DOCUMENT.replace(/\s+/g, ' ').includes(part))).toEqual([]);
    const text = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
    expect(TRIED.elsewhere.filter(([, file, name]) => !text(file).includes(name))).toEqual([]);
  });

  test('every address leads to a response, in both languages', async () => {
    const assets = await send(`${archive.origin}/en/`);
    const [asset = ''] = /(?<=\/assets\/)[\w.-]+/.exec(assets.body.toString()) ?? [];
    const templates = [...DOCUMENT.matchAll(/`(\/[^`\s]*)`/g)].map(([, path = '']) => path);
    expect(templates.length).toBeGreaterThan(60);
    for (const template of new Set(templates.filter((each) => !NO_RESOURCES.includes(each)))) {
      const kind = KIND_OF.find(([pattern]) => pattern.test(template))?.[1] ?? 'person';
      const values: Record<string, string> = {
        uuid: UUIDS[kind],
        name: template.startsWith('/sitemap-') ? 'pages.xml' : 'not-found',
        asset,
      };
      for (const lang of LANGUAGES) {
        const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
          name === 'lang' ? lang : (values[name] ?? ''),
        );
        const path = filled + (NEEDED[filled.split('/').at(-1) ?? ''] ?? '');
        const { status } = await send(archive.origin + path, JSON_FIRST);
        expect([200, 301, 302, 303, 307, 308], `${path}: ${status}`).toContain(status);
      }
    }
  });

  test.for(TRIED.requests)('%s: %s is %i', async ([, template, status, more = {}]) => {
    const { headers, method, has = {}, body = '' } = more;
    const path = template.replace(/\{person (\d+)\}/, (_, id) => uuidOf('person', Number(id)));
    const answer = await send(archive.origin + path, headers, method);
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(has))
      expect(String(answer.headers[name])).toMatch(RegExp(value ?? '^undefined$'));
    expect(answer.body.toString()).toMatch(RegExp(body, 'ms'));
  });

  test('after ranges too, the log has lines of JSON only', async () => {
    for (const path of [DUMP, DUMP.replace('jsonl', 'csv'), `${E}/events.geojson`])
      await send(archive.origin + path, { Range: 'bytes=0-9' });
    const lines = archive.process.stderr().split('\n');
    expect(lines.filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  });

  test('a server without an edition responds 503 nothing-published', async () => {
    const { origin } = await serveDatabase(await createTestDatabase('sqlite'), {}, { until: '/live' });
    const { status, body } = await send(`${origin}${P}`);
    expect({ status, body: body.toString() }).toEqual({
      status: 503,
      body: expect.stringContaining('nothing-published'),
    });
  });
});
