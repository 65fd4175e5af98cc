import {
  COLLECTIONS,
  envelopeSchema,
  KINDS,
  LANGUAGES,
  parseApiReference,
  recordSchemas,
  searchEntrySchema,
} from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { getJson, walkPages, walkRecords, walkTexts } from '../support/walk.ts';
import { checkTable, ENVELOPE } from './tables.ts';

const checkEnvelope = checkTable(() => ENVELOPE);

const LISTS = [...KINDS.map((kind) => COLLECTIONS[kind]), 'search'];

describeFixture('everywhere', (archive) => {
  describe.each(LANGUAGES)('in %s', (language) => {
    test('every page of every list and of search has the same envelope', async () => {
      let pages = 0;
      for (const list of [...LISTS, 'search?q=last_name:nummer', 'search?q=city:leiden', 'search?q=nobody']) {
        for (const page of await walkPages(archive(), `/${language}/api/${list}`)) {
          checkEnvelope(page, language);
          pages += 1;
        }
      }
      expect(pages).toBe(3 + 2 + 2 + 2 + 6 + 2 + 1 + 1);
    });

    test.each(KINDS)(
      'every page and every detail of %s is valid according to packages/types',
      async (kind) => {
        const schema = envelopeSchema(recordSchemas[kind]);
        for (const page of await walkPages(archive(), `/${language}/api/${COLLECTIONS[kind]}`)) {
          expect(schema.safeParse(page).error).toBeUndefined();
          for (const { uuid } of page.results) {
            const detail = await getJson(archive(), `/${language}/api/${COLLECTIONS[kind]}/${uuid}`);
            expect(recordSchemas[kind].safeParse(detail).error).toBeUndefined();
          }
        }
      },
    );

    test('every page of search is valid according to packages/types', async () => {
      const schema = envelopeSchema(searchEntrySchema);
      for (const list of [
        'search',
        'search?q=last_name:nummer',
        'search?q=city:leiden',
        'search?q=saturnus',
      ]) {
        for (const page of await walkPages(archive(), `/${language}/api/${list}`)) {
          expect(schema.safeParse(page).error).toBeUndefined();
        }
      }
    });

    test('every API reference leads to the record it names', async () => {
      const texts = await Promise.all(LISTS.map((list) => walkTexts(archive(), `/${language}/api/${list}`)));
      const links = new Set(
        texts.flat().flatMap((text) => text.match(new RegExp(`${BASE_URL}[^"]*`, 'g')) ?? []),
      );
      const references = [...links].flatMap((link) => {
        const reference = parseApiReference(link);
        return reference ? [{ link, ...reference }] : [];
      });
      expect(references.length).toBeGreaterThanOrEqual(10);
      for (const { link, uuid, language: of, baseUrl } of references) {
        expect({ of, baseUrl }).toEqual({ of: language, baseUrl: BASE_URL });
        expect(await getJson(archive(), link)).toMatchObject({ uuid });
        expect(await getJson(archive(), `${link}?format=api`)).toMatchObject({ uuid });
      }
    });

    test('a uuid is found in upper and lower case', async () => {
      const [person] = await walkRecords(archive(), `/${language}/api/persons`);
      const path = `/${language}/api/persons/${String(person?.['uuid']).toUpperCase()}`;
      expect(await getJson(archive(), path)).toEqual(person);
    });
  });

  test('responses in one language have no links to the other', async () => {
    for (const [language, other] of [
      ['en', 'nl'],
      ['nl', 'en'],
    ]) {
      for (const list of LISTS) {
        for (const text of await walkTexts(archive(), `/${language}/api/${list}`)) {
          expect(text).toContain(`${BASE_URL}/${language}/`);
          expect(text).not.toContain(`${BASE_URL}/${other}/`);
        }
      }
    }
  });
});
