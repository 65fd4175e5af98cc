import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { OAI_MAPPING } from '@archiefkast/formats/oai';
import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, BASE_URL, ITSELF, serveDatabase, untilServed } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { harvestByPerl, PERL_HARVESTERS } from '../support/oai-harvest.ts';
import { needs, placeOf } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const run = promisify(execFile);
const ALL = 'verb=ListRecords&metadataPrefix=oai_dc';

/** A response: the attributes and texts of its elements, in order. */
interface Answer {
  text: string;
  elements: { name: string; attributes: Readonly<Record<string, string>>; text: string }[];
}

/** Reads XML, with its namespaces. @throws Error if it is not well-formed */
function read(text: string): Answer {
  const elements: Answer['elements'] = [];
  const open: Answer['elements'] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, attribute]) => [key, attribute.value]);
    const element = { name, attributes: Object.fromEntries(values), text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (more) => {
    const last = open.at(-1);
    if (last) last.text += more;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return { text, elements };
}

const textsOf = ({ elements }: Answer, name: string) =>
  elements.filter((each) => each.name === name).map(({ text }) => text);
const tokenOf = (answer: Answer) => textsOf(answer, 'resumptionToken')[0] ?? '';
/** The records of a response by identifier: whether each is deleted. */
const recordsOf = ({ elements }: Answer) => {
  const headers = elements.filter(({ name }) => name === 'header');
  const identifiers = elements.filter(({ name }) => name === 'identifier');
  return identifiers.map(({ text }, at): [string, boolean] => [
    text,
    headers[at]?.attributes['status'] === 'deleted',
  ]);
};

describeFixture('OAI-PMH', (archive) => {
  const ask = async (query: string) => read(await (await archive().fetch(`/oai?${query}`)).text());
  const id = (uuid: string) => `${BASE_URL}/id/${uuid}`;
  const person = encodeURIComponent(id(uuidOf('person', 101)));

  test.each([
    ['', 'badVerb'],
    ['verb=listRecords', 'badVerb'],
    ['verb=Identify&verb=Identify', 'badVerb'],
    ['verb=toString', 'badVerb'],
    ['verb=Identify&set=persons', 'badArgument'],
    ['verb=Identify&constructor=1', 'badArgument'],
    ['verb=ListRecords', 'badArgument'],
    ['verb=GetRecord&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=GetRecord&metadataPrefix=oai_dc&identifier=%00', 'badArgument'],
    [`${ALL}&metadataPrefix=oai_dc`, 'badArgument'],
    [`${ALL}&from=2026-02-30`, 'badArgument'],
    [`${ALL}&from=2026-01-01T00:00:00`, 'badArgument'],
    [`${ALL}&from=2026-01-02&until=2026-01-01`, 'badArgument'],
    [`${ALL}&from=2026-01-01&until=2026-01-02T00:00:00Z`, 'badArgument'],
    [`${ALL}&resumptionToken=x`, 'badArgument'],
    [`${ALL}&set=`, 'badArgument'],
    [`${ALL}&set=%22`, 'badArgument'],
    ['verb=ListRecords&metadataPrefix=marc21', 'cannotDisseminateFormat'],
    [`verb=GetRecord&metadataPrefix=marc21&identifier=${person}`, 'cannotDisseminateFormat'],
    ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:x:1', 'idDoesNotExist'],
    ['verb=ListMetadataFormats&identifier=oai:x:1', 'idDoesNotExist'],
    ['verb=ListRecords&resumptionToken=x', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=W10', 'badResumptionToken'],
    ['verb=ListSets&resumptionToken=x', 'badResumptionToken'],
    [`${ALL}&until=1999-01-01`, 'noRecordsMatch'],
    [`${ALL}&from=2999-01-01`, 'noRecordsMatch'],
    [`${ALL}&set=letters`, 'noRecordsMatch'],
  ])('?%s is the error %s', async (query, code) => {
    const { elements } = await ask(query);
    expect(elements.find(({ name }) => name === 'error')?.attributes).toMatchObject({ code });
    const request = elements.find(({ name }) => name === 'request');
    const isEchoed = code !== 'badVerb' && code !== 'badArgument';
    expect(request?.text).toBe(`${BASE_URL}/oai`);
    expect(Object.keys(request?.attributes ?? {}).length > 0).toBe(isEchoed);
  });

  test('a token that no server made is an error, unless it could have been made', async () => {
    const { editions } = await (await archive().fetch('/api/editions')).json();
    const parts = {
      edition: editions[0].key,
      set: '',
      from: '',
      until: '',
      after: 'person.0',
      cursor: '0',
      size: '9',
    };
    const tokenWith = (changed: Partial<typeof parts>) => Object.values({ ...parts, ...changed }).join('.');
    const answer = async (token: string) =>
      ask(`verb=ListIdentifiers&resumptionToken=${encodeURIComponent(token)}`);
    expect(recordsOf(await answer(tokenWith({})))).toHaveLength(TOTAL);
    expect(recordsOf(await answer(tokenWith({ set: 'events', after: 'location.3' })))).toHaveLength(
      SERVED.event,
    );
    const wrong: (Partial<typeof parts> | string)[] = [
      ...[{ edition: uuidOf('person', 1) }, { edition: `${parts.edition}0` }, { edition: '1' }],
      ...[{ set: 'letters' }, { set: 'persons,persons' }, { set: 'constructor' }],
      ...[
        { from: '2026-02-30' },
        { from: '0' },
        { until: '9'.repeat(20) },
        { until: '1970-01-01T00:00:00.000Z' },
      ],
      ...[{ from: '2026-01-02', until: '2026-01-01' }, { from: '2999-01-01' }],
      ...[{ after: 'person.-1' }, { after: 'person.1e308' }, { after: `person.${'9'.repeat(10)}` }],
      ...[{ after: 'gone.1' }, { after: `person.${parts.edition}` }, { after: 'record.1' }],
      ...[{ cursor: '' }, { cursor: '1'.repeat(10) }, { size: '0x10' }, { size: '0' }, { size: '9\n' }],
      ...[`${tokenWith({})}.`, ` ${tokenWith({})}`, tokenWith({}).repeat(500), '.'.repeat(8)],
    ];
    for (const token of wrong) {
      const text = typeof token === 'string' ? token : tokenWith(token);
      const { elements } = await answer(text);
      const error = elements.find(({ name }) => name === 'error');
      expect(error?.attributes, text.slice(0, 200)).toMatchObject({ code: 'badResumptionToken' });
    }
  });

  test('a form is as long as a request can be', async () => {
    const post = (length: number) => {
      const body = new URLSearchParams({ verb: 'Identify', x: '' });
      body.set('x', 'x'.repeat(length - String(body).length));
      return archive().fetch('/oai', { method: 'POST', body });
    };
    expect((await post(4_096)).status).toBe(200);
    const refused = await post(4_097);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ expected: 'at most 4096 bytes' }),
    ]);
  });

  test('has every record, in Dublin Core in both languages, also by POST', async () => {
    const whole = await ask(ALL);
    expect([recordsOf(whole).length, tokenOf(whole)]).toEqual([TOTAL, '']);
    const form = { method: 'POST', body: new URLSearchParams(ALL) };
    expect(recordsOf(read(await (await archive().fetch('/oai', form)).text()))).toEqual(recordsOf(whole));
    expect(recordsOf(await ask(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=events`))).toHaveLength(
      SERVED.event,
    );
    const one = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${person}`);
    expect(textsOf(one, 'setSpec')).toEqual(['persons']);
    const languages = one.elements
      .filter(({ name }) => name === 'dc:type')
      .map(({ attributes }) => attributes['xml:lang']);
    expect(languages.toSorted()).toEqual(['en', 'nl']);
    expect(textsOf(one, 'dc:identifier')[0]).toBe(id(uuidOf('person', 101)));
    expect(textsOf(await ask('verb=ListSets'), 'setSpec')).toEqual([
      'persons',
      'subjects',
      'locations',
      'events',
    ]);
    expect(textsOf(await ask(`verb=ListMetadataFormats&identifier=${person}`), 'metadataPrefix')).toEqual([
      'oai_dc',
    ]);
    expect(textsOf(await ask('verb=Identify'), 'deletedRecord')).toEqual(['transient']);
  });

  test('says of every record what its mapping says', async () => {
    const { text } = await ask(ALL);
    const said = text.match(/<metadata>.*?<\/metadata>/gs) ?? [];
    const message = 'another mapping: raise OAI_MAPPING, rename this file by it, and update it';
    const file = join(import.meta.dirname, `dublin-core-${OAI_MAPPING}.xml`);
    await expect(`${said.join('\n')}\n`, message).toMatchFileSnapshot(file);
    const golden = await readdir(import.meta.dirname);
    expect(golden.filter((name) => name.startsWith('dublin-core'))).toEqual([basename(file)]);
  });

  describe('by its schema', needs('standards', 'xmllint'), () => {
    let folder: string;
    beforeAll(async () => {
      folder = await temporaryFolder();
    });

    test('every response is valid', async () => {
      const schema = join(folder, 'all.xsd');
      await writeFile(join(folder, 'dc.xsd'), SIMPLE_DC);
      await writeFile(join(folder, 'oai_dc.xsd'), DUBLIN_CORE);
      await writeFile(schema, schemaOf(join(placeOf('standards'), 'oai-pmh.xsd')));
      const queries = [
        ...[ALL, 'verb=Identify', 'verb=ListSets', 'verb=ListMetadataFormats', 'verb=x', `${ALL}&set=a:b`],
        ...[
          'verb=ListIdentifiers&metadataPrefix=oai_dc',
          'verb=ListRecords&resumptionToken=%01%EF%BF%BE%22<',
        ],
        `verb=GetRecord&metadataPrefix=oai_dc&identifier=${person}`,
        `verb=GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent("http:a?b=[1]&c='%41")}`,
      ];
      const files = await Promise.all(
        queries.map(async (query, at) => {
          const file = join(folder, `${at}.xml`);
          await writeFile(file, (await ask(query)).text);
          return file;
        }),
      );
      const { stderr } = await run('xmllint', ['--nonet', '--noout', '--schema', schema, ...files]);
      expect(stderr.trim().split('\n')).toEqual(files.map((file) => `${file} validates`));
    });
  });
});

/** Schemas of the elements of Dublin Core, as those of the standard, which are not on this machine. */
const SIMPLE_DC = `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://purl.org/dc/elements/1.1/" xmlns:dc="http://purl.org/dc/elements/1.1/" elementFormDefault="qualified">
<import namespace="http://www.w3.org/XML/1998/namespace"/>
<complexType name="element"><simpleContent><extension base="string"><attribute name="lang" form="qualified"/><anyAttribute namespace="http://www.w3.org/XML/1998/namespace" processContents="skip"/></extension></simpleContent></complexType>
${'title creator subject description publisher contributor date type format identifier source language relation coverage rights'
  .split(' ')
  .map((name) => `<element name="${name}" type="dc:element"/>`)
  .join('\n')}
</schema>`;
const DUBLIN_CORE = `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.openarchives.org/OAI/2.0/oai_dc/">
<import namespace="http://purl.org/dc/elements/1.1/" schemaLocation="dc.xsd"/>
<element name="dc"><complexType><sequence><any namespace="http://purl.org/dc/elements/1.1/" processContents="strict" minOccurs="0" maxOccurs="unbounded"/></sequence></complexType></element>
</schema>`;
const schemaOf = (standard: string) => `<schema xmlns="http://www.w3.org/2001/XMLSchema">
<import namespace="http://www.openarchives.org/OAI/2.0/" schemaLocation="file://${standard}"/>
<import namespace="http://www.openarchives.org/OAI/2.0/oai_dc/" schemaLocation="oai_dc.xsd"/>
</schema>`;

describeEngines('harvests by OAI-PMH (%s)', (engine) => {
  const COUNT = 450;
  let database: TestDatabase;
  let server: ApiServer;
  const persons = Array.from({ length: COUNT }, (_, at) => ({
    ...{ id: at + 1, uuid: uuidOf('person', at + 1), last_name: `Vos & <zoon> ${at + 1}` },
  }));
  const bundle = async (records: object[]) =>
    writeBundle(join(database.folder, 'bundle'), { person: records });
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    await publishHere(database, await bundle(persons));
    server = await serveDatabase(database, { BASE_URL: ITSELF });
  });

  const ask = async (query: string) => read(await (await server.fetch(`/oai?${query}`)).text());
  /** The records of a list from a response on, by its tokens. */
  const follow = async (first: Answer) => {
    const found = recordsOf(first);
    for (let token = tokenOf(first); token !== ''; ) {
      const next = await ask(`verb=ListRecords&resumptionToken=${token}`);
      found.push(...recordsOf(next));
      token = tokenOf(next);
    }
    return found;
  };
  const since = (answer: Answer) => `${ALL}&from=${textsOf(answer, 'responseDate')[0]}`;
  const ids = (uuids: readonly string[], isDeleted: boolean) =>
    uuids.map((uuid): [string, boolean] => [`${server.origin}/id/${uuid}`, isDeleted]);
  const uuids = persons.map(({ uuid }) => uuid);

  for (const [name, program] of Object.entries(PERL_HARVESTERS))
    test(`${name} gets every record`, needs('perl', name), async () => {
      expect(await harvestByPerl(program, server.origin)).toEqual(
        ids(uuids, false)
          .map(([id]) => id)
          .toSorted(),
      );
    });

  let isChanged = false;
  /** Publishes, once, two persons that are changed, without three others. */
  const publishChanges = async () => {
    if (isChanged) return;
    isChanged = true;
    const changed = persons.slice(3).map((person) => ({ ...person, ...(person.id <= 5 && { infix: 'de' }) }));
    await publishHere(database, await bundle(changed));
    await untilServed(server, 2);
  };

  test('a list is of one edition across a publish, and the next has what changed and what is gone', async () => {
    const first = await ask(ALL);
    const token = first.elements.find(({ name }) => name === 'resumptionToken');
    expect(token?.attributes).toMatchObject({ completeListSize: String(COUNT), cursor: '0' });
    await publishChanges();
    expect(await follow(first)).toEqual(ids(uuids, false));
    const now = await ask(since(first));
    const both = [...ids(uuids.slice(3, 5), false), ...ids(uuids.slice(0, 3).toSorted(), true)];
    expect(recordsOf(now)).toEqual(both);
    const gone = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${both[2]?.[0]}`);
    expect([recordsOf(gone), textsOf(gone, 'dc:title')]).toEqual([both.slice(2, 3), []]);
  });

  for (const [name, program] of Object.entries(PERL_HARVESTERS))
    test(`${name} gets those that are gone`, needs('perl', name), async () => {
      await publishChanges();
      expect(await harvestByPerl(program, server.origin)).toEqual(
        uuids.map((uuid, at) => `${server.origin}/id/${uuid}${at < 3 ? ' deleted' : ''}`).toSorted(),
      );
    });

  test('a roll-back revives what was gone, and a token ends with its edition', async () => {
    const first = await ask(ALL);
    await runApiHere(['rollback'], settingsFor(database));
    await untilServed(server, 1);
    expect(await follow(await ask(since(first)))).toEqual(ids(uuids, false));
    // The three that are gone no longer, and are not in its edition: the next list has them.
    expect((await follow(first)).length).toBe(COUNT - 3);
    await publishHere(database, await bundle(persons.slice(0, 300)), ['--keep', '1']);
    await untilServed(server, 3);
    expect(textsOf(await ask(`verb=ListRecords&resumptionToken=${tokenOf(first)}`), 'error')).toHaveLength(1);
    // Two editions that were made after the same: what only the first changed is as it was before.
    const [own, other, ...rest] = persons.slice(0, 300);
    for (const records of [
      [{ ...own, infix: 'van' }, other],
      [own, { ...other, infix: 'de' }],
    ])
      await publishHere(database, await bundle([...records, ...rest] as object[]), ['--hold', '--keep', '3']);
    await runApiHere(['switch', '4'], settingsFor(database));
    await untilServed(server, 4);
    const held = await ask(ALL);
    await runApiHere(['switch', '5'], settingsFor(database));
    await untilServed(server, 5);
    expect(recordsOf(await ask(since(held)))).toContainEqual([`${server.origin}/id/${uuids[0]}`, false]);
    expect(recordsOf(await ask(`${ALL}&until=2020-01-01`))).toEqual([]);
    expect((await follow(await ask(ALL))).filter(([, isDeleted]) => isDeleted)).toHaveLength(COUNT - 300);
  });
});
