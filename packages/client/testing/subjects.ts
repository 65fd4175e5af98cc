import type { Envelope, Subject } from '@archiefkast/types';

/** Subject `id` of the archive at `baseUrl`, in English. */
export function makeSubject(baseUrl: string, id: number): Subject {
  const uuid = `b0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  const texts = { name: `Subject ${id}`, name_nl: `Onderwerp ${id}`, name_en: `Subject ${id}` };
  return {
    id,
    image: null,
    url: `${baseUrl}/en/onderwerpen/${uuid}/`,
    published: true,
    uuid,
    ...texts,
    description: '',
    description_nl: '',
    description_en: '',
    summary: '',
    summary_nl: '',
    summary_en: '',
    same_as: null,
    parent: null,
    files: [],
  };
}

/** Page `number` of `count` subjects. */
export function subjectsPage(baseUrl: string, number: number, count: number): Envelope<Subject> {
  const link = (page: number) => `${baseUrl}/en/api/subjects${page > 1 ? `?page=${page}` : ''}`;
  const first = (number - 1) * 10 + 1;
  const last = Math.min(count, number * 10);
  return {
    next: last < count ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    count,
    total: count,
    language: 'en',
    results: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => makeSubject(baseUrl, first + i)),
  };
}
