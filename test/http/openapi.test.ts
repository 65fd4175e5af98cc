import { COLLECTIONS, KINDS, kindOfCollection, LANGUAGES } from '@archiefkast/types';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { createOpenApiValidator, type OpenApi } from '../support/openapi-validator.ts';
import { getJson, type Json, type Page } from '../support/walk.ts';

/** Rejected requests: the path in the document, the requested path, and the status. */
const REFUSED: [template: string, path: string, status: number][] = [
  ['/{lang}/api/persons', '/en/api/persons?page=0', 404],
  ['/{lang}/api/events', '/nl/api/events?page=99', 404],
  ['/{lang}/api/subjects', '/en/api/subjects?format=xml', 400],
  ['/{lang}/api/search', '/nl/api/search?q=last_nam:vries', 400],
  ['/{lang}/api/search', '/en/api/search?q=city:', 400],
  ['/{lang}/api/persons/{uuid}', '/en/api/persons/unknown', 404],
  ['/{lang}/api/events/{uuid}', '/nl/api/events/00000000-0000-4000-8000-000000000000', 404],
  ['/{lang}/api/dump/persons.jsonl', '/en/api/dump/persons.csv?q=last_nam:vries', 400],
  ['/{lang}/api/suggest', '/nl/api/suggest?field=lastname', 400],
  ['/{lang}/api/changes', '/en/api/changes', 400],
  ['/{lang}/api/changes', '/en/api/changes?since=99', 404],
  ['/api/changes', '/api/changes?since=x', 400],
];

describeFixture('OpenAPI', (archive) => {
  let openapi: OpenApi;
  let faultOf: ReturnType<typeof createOpenApiValidator>;
  beforeAll(async () => {
    openapi = await getJson<OpenApi>(archive(), '/openapi.json');
    faultOf = createOpenApiValidator(openapi);
  });

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await archive().fetch(path, { headers });
    const text = await response.text();
    const fields = new URL(response.url).searchParams.get('fields');
    return { status: response.status, contentType: response.headers.get('content-type'), text, fields };
  };

  test('describes every response of every path', async () => {
    const faults: string[] = [];
    for (const [template, { get }] of Object.entries(openapi.paths)) {
      for (const lang of template.includes('{lang}') ? LANGUAGES : ['en']) {
        const values = { lang, uuid: await someUuid(template) };
        const required = get.parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, example }) => `${name}=${example}`);
        const path = `${fill(template, values)}?${required.join('&')}`;
        const answer = await ask(path);
        expect(answer.status, path).toBe(200);
        faults.push(...[faultOf(template, answer) ?? []].flat());
      }
    }
    expect(faults).toEqual([]);
  });

  test.each(LANGUAGES)('describes every page of every list and of search in %s', async (language) => {
    const collections = KINDS.map((kind) => COLLECTIONS[kind]);
    const selected = [
      ...collections.map((list) => `${list}?fields=brief`),
      'events?fields=uuid,location.name',
    ];
    const lists = [...collections, ...selected, 'search', 'search?q=e', 'search?q=name:e'];
    const faults: string[] = [];
    for (const list of lists) {
      const template = `/{lang}/api/${list.replace(/\?.*/, '')}`;
      for (let link: string | null = `/${language}/api/${list}`; link !== null; ) {
        const answer = await ask(link);
        faults.push(...[faultOf(template, answer) ?? []].flat());
        link = (JSON.parse(answer.text) as Page).next;
      }
    }
    expect(faults).toEqual([]);
  });

  test.each(REFUSED)('describes how %s rejects %s', async (template, path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.contentType).toBe('application/problem+json');
    expect(faultOf(template, answer)).toBeUndefined();
  });

  test('describes ranges of files', async () => {
    const template = '/{lang}/api/dump/persons.jsonl';
    const part = await ask('/en/api/dump/persons.jsonl', { range: 'bytes=0-9' });
    expect(part.status).toBe(206);
    expect(faultOf(template, part)).toBeUndefined();
    const beyond = await ask('/en/api/dump/persons.jsonl', { range: 'bytes=999999999-' });
    expect(beyond.status).toBe(416);
    expect(faultOf(template, beyond)).toBeUndefined();
  });

  test('gives the types of generated clients different names: operation and parameter, schema and property', () => {
    const pascal = (...names: string[]) =>
      names
        .flatMap((name) => name.split('_'))
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join('');
    const schemas = openapi.components.schemas as Record<string, { properties?: Json }>;
    const ofSchemas = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((property) => pascal(name, property)),
    );
    const ofOperations = Object.values(openapi.paths).flatMap(({ get }) =>
      get.parameters.map(({ name }) => pascal(get.operationId, name)),
    );
    expect(ofOperations.filter((name) => ofSchemas.includes(name))).toEqual([]);
  });

  test('describes fields=brief: every field is there', async () => {
    const schemas = openapi.components.schemas as Record<string, { required?: string[] }>;
    for (const kind of KINDS) {
      const [record = {}] = (await getJson<Page>(archive(), `/en/api/${COLLECTIONS[kind]}?fields=brief`))
        .results;
      expect(schemas[`${pascalOf(kind)}Brief`]?.required).toEqual(Object.keys(record));
    }
  });

  const pascalOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

  async function someUuid(template: string): Promise<string> {
    const kind = kindOfCollection(template.split('/')[3] ?? '');
    if (!kind || !template.includes('{uuid}')) return '';
    const page = await getJson<Page>(archive(), `/en/api/${COLLECTIONS[kind]}`);
    return String(page.results[0]?.['uuid']);
  }

  describe('linters', () => {
    test('Spectral reports nothing', async () => {
      const spectral = new spectralCore.Spectral();
      spectral.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition] });
      const results = await spectral.run({ ...openapi });
      expect(results.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([]);
    });

    test('Redocly reports nothing', async () => {
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({
        source: JSON.stringify(openapi),
        absoluteRef: 'openapi.json',
        config,
      });
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    });
  });
});

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
