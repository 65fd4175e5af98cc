import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startShared, type TestArchive } from './api-server.ts';
import { createOpenApiValidator, type OpenApi } from './openapi-validator.ts';
import { describeEngines, type Engine } from './test-database.ts';
import { getJson } from './walk.ts';

/** The archive of a suite. Its server runs only during the tests, not while they are defined. */
type Body = (archive: () => TestArchive) => void;

/** Defines tests of the fixture archive on one engine; `contract/engines` compares the responses of both. */
export function describeFixture(name: string, body: Body): void {
  describe(name, () => describeOn('sqlite', body));
}

/** Defines tests of the fixture archive on every engine of this run. */
export function describeOnEveryEngine(name: string, body: Body): void {
  describeEngines(`${name} (%s)`, (engine) => describeOn(engine, body));
}

/** Checks every response to a GET against the OpenAPI document. */
function describeOn(engine: Engine, body: Body): void {
  let archive: TestArchive;
  const faults: string[] = [];
  beforeAll(async () => {
    archive = await checkAgainstDocument(await startShared('fixture', engine), faults);
  });
  afterAll(async () => {
    await archive?.stop();
    expect(faults, 'responses that the OpenAPI document does not describe').toEqual([]);
  });
  body(() => archive);
}

/** The archive, which checks every response to a GET against its OpenAPI document. */
async function checkAgainstDocument(archive: TestArchive, faults: string[]): Promise<TestArchive> {
  const openapi = await getJson<OpenApi>(archive, '/openapi.json');
  const faultOf = createOpenApiValidator(openapi);
  const templates = Object.keys(openapi.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace('{lang}', '(en|nl)').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    ...archive,
    async fetch(pathOrLink, init) {
      const response = await archive.fetch(pathOrLink, init);
      const { pathname, searchParams } = new URL(response.url);
      const known = templates.find(({ pattern }) => pattern.test(pathname));
      if (known && (init?.method ?? 'GET') === 'GET') {
        const contentType = response.headers.get('content-type');
        const fault = faultOf(known.template, {
          status: response.status,
          contentType,
          text: await response.clone().text(),
          fields: searchParams.get('fields'),
        });
        if (fault) faults.push(`${pathname}: ${fault}`);
      }
      return response;
    },
  };
}
