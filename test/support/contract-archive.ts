import { afterAll, beforeAll, expect } from 'vitest';
import { startShared, type TestArchive } from './api-server.ts';
import { createOpenApiValidator, type OpenApi } from './openapi-validator.ts';
import { describeEngines } from './test-database.ts';
import { getJson } from './walk.ts';

/**
 * Describes what holds of the fixture archive on every engine of this run. The server is there when the tests
 * run, not while they are being described. Every answer to a GET is held against the OpenAPI document.
 */
export function describeOnEveryEngine(name: string, body: (archive: () => TestArchive) => void): void {
  describeEngines(`${name} (%s)`, (engine) => {
    let archive: TestArchive;
    const faults: string[] = [];
    beforeAll(async () => {
      archive = await checkAgainstDocument(await startShared('fixture', engine), faults);
    });
    afterAll(async () => {
      await archive?.stop();
      expect(faults, 'answers that the OpenAPI document does not describe').toEqual([]);
    });
    body(() => archive);
  });
}

/** The archive, with every answer to a GET of a path of its OpenAPI document held against that document. */
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
          isSelected: searchParams.has('fields'),
        });
        if (fault) faults.push(`${pathname}: ${fault}`);
      }
      return response;
    },
  };
}
