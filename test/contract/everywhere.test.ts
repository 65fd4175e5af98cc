import { COLLECTIONS, KINDS, LANGUAGES, parseApiReference } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { getJson, walkRecords, walkTexts } from '../support/walk.ts';

const LISTS = [...KINDS.map((kind) => COLLECTIONS[kind]), 'search'];

describeFixture('everywhere', (archive) => {
  describe.each(LANGUAGES)('in %s', (language) => {
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
      for (const { link, uuid } of references) {
        expect(link.startsWith(`${BASE_URL}/${language}/api/`), link).toBe(true);
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
