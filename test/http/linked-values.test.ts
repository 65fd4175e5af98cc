import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COLLECTIONS, isUuid, isWebAddress, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import jsonld from 'jsonld';
import { Parser, Writer } from 'n3';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import { FIXTURE, TOTAL, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { needs } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { walkRecords } from '../support/walk.ts';

const run = promisify(execFile);

/** What a text can have that a syntax of linked data or XML gives a meaning, or refuses. */
const TEXTS = [
  '"""\'\\ \\u0041 \\" <&>]]> @en ^^<http://x.test/>',
  'line\nfeed\r\nand tab\t.',
  '\u007f\u0085\u009b \u2028 \u202e \ufffd',
  '\ufdd0 \ufffe \uffff \u{1fffe} \u{10ffff}',
  '😀 é \u{e000}',
];

/** An address that the description of an archive takes. */
const ADDRESS = 'https://a.test/[x]/%20%zz%?é=😀#\u0085';

/** Addresses that records take, with what an IRI cannot have. */
const ADDRESSES = [
  'https://a.test/x|y?f={a}^`\\#z{}|\\^`',
  'https://a.test/"q"<g>h?i="j"<k>#"l"<m>`',
  ADDRESS,
];

const DAYS = ['1700-02-29', '1600-02-29', '0000-01-01', '0044-03-15'];

const hostile = <One>(from: readonly One[], at: number): One => from[at % from.length] as One;

/** A value of a record with a hostile one in its place, where the bundle takes any. */
function spoiled(value: unknown, name: string, at: number): unknown {
  if (Array.isArray(value)) return value.map((one, index) => spoiled(one, name, at + index));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one], n) => [key, spoiled(one, key, at + n)]));
  if (typeof value !== 'string' || value === '') return value;
  if (/(?:^|_)date(?:_|$)/.test(name)) return hostile(DAYS, at);
  const isOfRecords = /uuid|subjects|persons|location|parent|events|gender|latitude|longitude|path/.test(
    name,
  );
  if (isOfRecords || isUuid(value)) return value;
  return isWebAddress(value) ? hostile(ADDRESSES, at) : `${value} ${hostile(TEXTS, at)}`;
}

/** Lines of the fixture; each subject also says of what it is the same. */
const LINES = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    FIXTURE[kind].map((line, at) => ({
      ...Object(spoiled(line, '', at)),
      ...(kind === 'subject' && { same_as: ADDRESSES }),
    })),
  ]),
);

const [TEXT = ''] = TEXTS;
const ARCHIVE = {
  title: { nl: TEXT, en: TEXT },
  description: { nl: TEXT, en: TEXT },
  publisher: { nl: TEXT, en: TEXT },
  creator: { nl: TEXT, en: TEXT },
  contact: { nl: TEXT, en: TEXT },
  email: 'a"b\\c<d>@x.test',
  organisation: {
    url: ADDRESS,
    isil: 'NL-HaNA',
    street: TEXT,
    zipcode: TEXT,
    city: TEXT,
    country: TEXT,
  },
  licence: { name: TEXT, url: ADDRESS },
  homepage: ADDRESS,
  created: '1700-02-29',
  about: [ADDRESS],
  coverage: { place: ADDRESS, period: '1575/1795' },
};

/** The triples of a graph in canonical form. */
const canonical = async (input: unknown, options: object = {}): Promise<string> =>
  await jsonld.canonize(input as object, {
    algorithm: 'URDNA2015',
    format: 'application/n-quads',
    ...options,
  });
const canonicalTriples = (text: string) => canonical(text, { inputFormat: 'application/n-quads' });

/** Reads Turtle or N-Triples by `n3`. @returns N-Triples */
const readByN3 = (text: string, format: string) =>
  new Writer({ format: 'N-Triples' }).quadsToString(new Parser({ format }).parse(text));

describe('values that linked data cannot have as they are', () => {
  let server: ApiServer;
  /** What has linked data: its address, without the ending of a form, and its page. */
  let all: { address: string; page: string }[];
  beforeAll(async () => {
    const database = await createTestDatabase('sqlite');
    const bundle = await writeBundle(join(database.folder, 'bundle'), LINES);
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(ARCHIVE));
    await publishHere(database, bundle);
    server = await serveDatabase(database, { BASE_URL: ITSELF });
    all = [{ address: '/dataset', page: '/en/dataset/' }];
    for (const kind of KINDS)
      for (const { uuid } of await walkRecords(server, `/en/api/${COLLECTIONS[kind]}`))
        all.push({ address: `/id/${uuid}`, page: `/en/${PAGE_SEGMENTS[kind]}/${uuid}/` });
    expect(all).toHaveLength(TOTAL + 1);
  });
  const textAt = async (path: string) => (await server.fetch(path)).text();

  test('are the same graph in every form and in the page, by n3 and jsonld', async () => {
    for (const { address, page } of all) {
      const [json = '', turtle = '', triples = '', html = ''] = await Promise.all(
        [`${address}.jsonld`, `${address}.ttl`, `${address}.nt`, page].map(textAt),
      );
      const expected = await canonical(JSON.parse(json));
      expect(expected.trim().split('\n').length, address).toBeGreaterThan(4);
      expect(await canonicalTriples(triples), address).toBe(expected);
      expect(await canonicalTriples(readByN3(triples, 'N-Triples')), address).toBe(expected);
      expect(await canonicalTriples(readByN3(turtle, 'Turtle')), address).toBe(expected);
      const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
      expect(await canonical(JSON.parse(data)), page).toBe(expected);
    }
  });

  test('are read by rapper', needs('rapper'), async () => {
    const folder = await temporaryFolder();
    const count = async (syntax: string, text: string) => {
      const file = join(folder, syntax);
      await writeFile(file, text);
      const { stderr } = await run('rapper', ['-i', syntax, '-c', file]);
      expect(stderr).not.toMatch(/error|warning/i);
      return Number(/returned (\d+) triples/.exec(stderr)?.[1]);
    };
    const texts = await Promise.all(all.map(({ address }) => textAt(`${address}.nt`)));
    const triples = await count('ntriples', texts.join(''));
    let ofTurtle = 0;
    for (const { address } of all) ofTurtle += await count('turtle', await textAt(`${address}.ttl`));
    expect(ofTurtle).toBe(triples);
  });

  test('are read in Dublin Core by libxml2', needs('xmllint'), async () => {
    const file = join(await temporaryFolder(), 'records.xml');
    await writeFile(file, await textAt('/oai?verb=ListRecords&metadataPrefix=oai_dc'));
    await run('xmllint', ['--nonet', '--noout', file]);
    const { stdout } = await run('xmllint', ['--xpath', "count(//*[local-name()='dc'])", file]);
    expect(Number(stdout)).toBe(TOTAL);
  });

  test(
    'are read in Dublin Core by HTTP::OAI, character by character',
    needs('perl', '/usr/share/perl5/HTTP/OAI.pm'),
    async () => {
      const program = `use HTTP::OAI; binmode STDOUT, ':utf8';
        my $print = sub { print $_->textContent, "\\x1e" for $_[0]->metadata->dom->findnodes(".//*[local-name()='title']") };
        my $all = HTTP::OAI::Harvester->new(baseURL => $ARGV[0])
          ->ListRecords(metadataPrefix => 'oai_dc', onRecord => $print);
        die $all->message if $all->is_error;`;
      const { stdout } = await run('perl', ['-e', program, `${server.origin}/oai`]);
      const { results } = JSON.parse(await textAt('/en/api/persons'));
      expect(results.length).toBeGreaterThan(5);
      for (const { title_en: title } of results.filter((each: { title_en: unknown }) => each.title_en))
        expect(stdout.split('\x1e')).toContain(
          title
            .replaceAll(/\r\n?/g, '\n')
            .replaceAll(/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}]/gu, ''),
        );
    },
  );
});
