import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

/** Whether the archive's own errors reach the client. */
export async function checkErrors(baseUrl: string): Promise<Finding[]> {
  const { status, headers } = await fetchRaw(`${baseUrl}/en/api/persons?page=0`);
  const type = headers['content-type'] ?? 'no content type';
  if (status === 404 && type.startsWith('application/problem+json')) {
    return [fine('errors', "The archive's own errors reach the client.")];
  }
  return [
    fault(
      'errors',
      `An invalid page gets ${status} (${type}) in place of 404 with application/problem+json: the proxy puts error pages of its own there. Switch that off for the archive.`,
    ),
  ];
}
