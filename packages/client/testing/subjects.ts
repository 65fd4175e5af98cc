import type { Envelope, Subject } from '@archiefkast/types';
import { makeSubject } from './records.ts';

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
    results: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
      makeSubject(first + i, { baseUrl, language: 'en' }),
    ),
  };
}
