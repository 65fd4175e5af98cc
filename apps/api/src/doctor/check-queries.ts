import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

/** A name with characters that proxies like to alter: slash, plus, blank, quotation mark and an accent. */
const NAME = 'a/b+c d"é';

/**
 * Whether the query of an address arrives as it was sent. A parameter that there is not, with strict handling, is
 * refused with its name.
 */
export async function checkQueries(baseUrl: string): Promise<Finding[]> {
  const { status, body } = await fetchRaw(`${baseUrl}/en/api/persons?${encodeURIComponent(NAME)}=1`, {
    headers: { Prefer: 'handling=strict' },
  });
  if (status === 400 && body.toString('utf8').includes(JSON.stringify(NAME).slice(1, -1))) {
    return [fine('queries', 'Queries arrive as they were sent.')];
  }
  const what = status === 200 ? 'was dropped, or the header Prefer' : `arrived altered (${status})`;
  return [
    fault(
      'queries',
      `A query with encoded characters ${what}. The proxy must pass addresses and request headers as they are.`,
    ),
  ];
}
