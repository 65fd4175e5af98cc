import { describe, expect, test } from 'vitest';
import { parseRecord } from './record-schemas.ts';

const UUID = '0e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';
const OTHER = '1e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';

const parse = (kind: 'person' | 'subject' | 'location' | 'event', fields: object) =>
  parseRecord(kind, {
    value: { id: 1, uuid: UUID, ...fields },
    length: JSON.stringify(fields).length,
  });

test('a text without a language suffix is a fault if both languages are empty', () => {
  const reason = 'would be lost: expected the Dutch text in title_nl and the English text in title_en';
  expect(parse('person', { title: 'x' })).toMatchObject({ faults: [{ field: 'title', reason }] });
  expect(parse('person', { title: 'x', title_en: 'y' })).toHaveProperty('record');
  expect(parse('person', { title: '' })).toHaveProperty('record');
});

describe('the path of a file', () => {
  const withPath = (path: unknown) => parse('person', { image: { id: 1, uuid: UUID, path } });

  test.each(['https://a.test/x.jpg', 'vos.jpg', 'portraits/Vos, Anna.JPEG', 'scans/1650/p. 1.pdf', null])(
    '%j is valid',
    (path) => {
      expect(withPath(path)).toMatchObject({ record: { image: { path } } });
    },
  );

  test.each([
    ...['vos.svg', 'vos', '/vos.jpg', '../vos.jpg', 'a/../vos.jpg', 'a//b.png', '.vos.jpg', 'a\\\\b.png', ''],
    ...['http:vos.jpg', 'HTTPS:vos.jpg', 'http://host:port/vos.jpg'],
  ])('%j is invalid', (path) => {
    expect(withPath(path)).toMatchObject({
      faults: [
        {
          field: 'image.path',
          reason: expect.stringMatching(
            /^expected an absolute http or https URL, or a path in MEDIA_DIR such as/,
          ),
        },
      ],
    });
  });
});

test('the size limit counts the fields of a record, not embedded records', () => {
  const [text, more] = ['x'.repeat(2 * 2 ** 20), 'y'.repeat(4 * 2 ** 20)];
  const parseLocation = (fields: object) => parse('location', fields);
  expect(parseLocation({ content_nl: text })).toMatchObject({
    faults: [
      { reason: expect.stringMatching(/^has 2,097,\d\d\d bytes, more than the limit of 2,097,152; put /) },
    ],
  });
  expect(parseLocation({ content_nl: text.slice(1_000) })).toHaveProperty('record');
  expect(
    parseLocation({ content: more, content_nl: 'x', events: [{ uuid: OTHER, content: more }] }),
  ).toHaveProperty('record');
  // Two and three bytes per character.
  expect(parseLocation({ content_nl: 'é'.repeat(2 ** 20) })).toHaveProperty('faults');
  expect(parseLocation({ content_nl: '漢'.repeat(700_000) })).toHaveProperty('faults');
});

test('a reference by a URL of another kind is a fault', () => {
  const subjects = (address: string) => parse('person', { subjects: [address] });
  for (const address of [
    `https://a.test/en/api/persons/${OTHER}`,
    `https://a.test/archive/nl/api/locations/${OTHER}?format=api`,
    `https://a.test/nl/gebeurtenissen/${OTHER}/`,
  ]) {
    expect(subjects(address), address).toMatchObject({
      faults: [
        {
          field: 'subjects[0]',
          reason: expect.stringContaining('expected a reference to a subject, but the URL belongs to'),
        },
      ],
    });
  }
  for (const address of [
    `https://a.test/nl/onderwerpen/${OTHER}/`,
    `https://a.test/en/api/subjects/${OTHER}`,
    `https://elsewhere.test/things/${OTHER}`,
  ]) {
    expect(subjects(address), address).toHaveProperty('record');
  }
});
