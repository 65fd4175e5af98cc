import { expect, test } from 'vitest';
import { BEECKMAN, describeSite } from '../support/site-archive.ts';

/** The structured data of a page. */
function structuredDataOf(html: string): Record<string, unknown> {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(json);
}

describeSite(
  'the HTML of the pages of an archive',
  'sample',
  ({ archive, pathOf }) => {
    test('a record has its licence, and leads to its JSON', async () => {
      const text = await (await archive().fetch(await pathOf(BEECKMAN))).text();
      expect(text).toMatch(
        /<a href="https:\/\/creativecommons\.org[^"]*" rel="license noopener">CC0 1\.0<\/a>/,
      );
      expect(text).toMatch(
        /<link rel="alternate" type="application\/json" href="[^"]+\/en\/api\/persons\/[^"]+"\/>/,
      );
    });

    test('the structured data of an event leads to its location, persons and subjects, and that of these to their set', async () => {
      const dataOf = async (query: string) =>
        structuredDataOf(await (await archive().fetch(await pathOf(query))).text());
      const entity = (type: unknown) =>
        expect.objectContaining({
          '@type': type,
          '@id': expect.stringMatching(/^http.*\/id\/[-0-9a-f]+$/),
        });
      expect(await dataOf('kind:event Inauguration of Leiden University')).toMatchObject({
        '@type': 'Event',
        location: [entity('Place')],
        attendee: expect.arrayContaining([entity('Person')]),
        about: expect.arrayContaining([entity(['DefinedTerm', 'skos:Concept'])]),
      });
      expect(await dataOf('kind:subject astronomy')).toMatchObject({
        inDefinedTermSet: { '@type': 'DefinedTermSet', '@id': `${archive().origin}/en/onderwerpen/` },
      });
    });

    test('the front page describes the site and its data', async () => {
      const data = structuredDataOf(await (await archive().fetch('/en/')).text());
      expect(data).toMatchObject({
        '@type': 'WebSite',
        about: { '@id': `${archive().origin}/dataset` },
        publisher: { name: { '@value': 'Sample archive', '@language': 'en' } },
      });
    });

    test.each([
      ['/nl/personen/00000000-0000-4000-8000-000000000000/', 404],
      ['/nl/personen/nobody/', 404],
      ['/en/personen/?page=99', 404],
      ['/en/zoeken/?q=leiden&page=99', 404],
    ])('%s is a page that says so', async (path, status) => {
      const response = await archive().fetch(path, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    });
  },
  {},
);
