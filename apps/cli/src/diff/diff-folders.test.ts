import { expect, test } from 'vitest';
import { differingFields, digest } from './diff-folders.ts';

const person = (baseUrl: string, more: object = {}) => ({
  uuid: 'a0000000-0000-4000-8000-000000000001',
  url: `${baseUrl}/en/personen/a0000000-0000-4000-8000-000000000001/`,
  subjects: [`${baseUrl}/en/api/subjects/b0000000-0000-4000-8000-000000000001`],
  content: `<a href="${baseUrl}/en/locaties/x/">x</a>`,
  image: { uuid: 'e', url: '', path: `${baseUrl}/media/a.jpg`, filetype: 'image' },
  ...more,
});

test('a record equals its copy in another archive', () => {
  const here = person('http://localhost:3000');
  const there = person('https://archive.test/base');
  expect(differingFields(here, there)).toEqual([]);
  expect(digest(here)).toBe(digest(there));
});

test('a copy that refers to the files of the original archive equals the original', () => {
  const image = { uuid: 'e', url: '', path: 'https://archive.test/base/media/a.jpg', filetype: 'image' };
  expect(differingFields(person('https://archive.test/base'), person('http://copy.test', { image }))).toEqual(
    [],
  );
  const other = { ...image, path: 'https://archive.test/base/media/b.jpg' };
  expect(
    differingFields(person('https://archive.test/base'), person('http://copy.test', { image: other })),
  ).toEqual(['image']);
});

test('returns the fields that differ, also added and removed ones', () => {
  const { content: _, ...shorter } = person('http://a.test', { first_name: 'Jan' });
  const longer = person('http://a.test', { first_name: 'Piet', infix: 'de' });
  expect(differingFields(shorter, longer)).toEqual(['first_name', 'content', 'infix']);
});

test('an embedded record is compared by its uuid, a file by all its fields', () => {
  const event = (name: string, uuid: string, alt: string) => ({
    uuid: 'd',
    location: { uuid, name },
    persons: [{ uuid: 'p', name }],
    main_image: { uuid: 'i', filetype: 'image', alt },
  });
  expect(differingFields(event('a', 'l', 'x'), event('b', 'l', 'x'))).toEqual([]);
  expect(differingFields(event('a', 'l', 'x'), event('a', 'm', 'y'))).toEqual(['location', 'main_image']);
});
