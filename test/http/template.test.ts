import {
  type ArchiveIndex,
  archiveIndexSchema,
  COLLECTIONS,
  kindOfCollection,
  LANGUAGES,
} from '@archiefkast/types';
import { parseTemplate } from 'url-template';
import { expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { getJson, type Page } from '../support/walk.ts';

/** A value with results for each parameter. */
const VALUES: Readonly<Record<string, string>> = {
  bbox: '-180,-90,180,90',
  edition: '1',
  field: 'city',
  fields: 'uuid,published',
  format: 'api',
  of: 'kind,century',
  page: '1',
  prefix: 'l',
  q: 'has:image é&=+',
  since: '1',
  sort: '-date',
};

describeFixture('the templates of the index', (archive) => {
  test.each(LANGUAGES)(
    'in %s expand to valid addresses, with all parameters and without',
    async (language) => {
      const { endpoints }: ArchiveIndex = archiveIndexSchema.parse(
        await getJson(archive(), `/${language}/api/`),
      );
      expect(endpoints.length).toBeGreaterThan(20);
      for (const { url, template } of endpoints) {
        const uuid = await someUuid(template);
        const required = template.includes('since') ? { since: '1' } : {};
        for (const values of [required, VALUES]) {
          const address = parseTemplate(template).expand({ ...values, uuid });
          const { status } = await archive().fetch(address);
          expect(status, address).toBe(200);
        }
        const bare = parseTemplate(template).expand({ uuid });
        expect(bare).toBe(parseTemplate(url).expand({ uuid }));
      }
    },
  );

  async function someUuid(template: string): Promise<string> {
    const [, collection = ''] = /\/api\/(\w+)\/\{uuid\}/.exec(template) ?? [];
    const kind = kindOfCollection(collection);
    if (!kind) return '';
    const page = await getJson<Page>(archive(), `/en/api/${COLLECTIONS[kind]}`);
    return String(page.results[0]?.['uuid']);
  }
});
