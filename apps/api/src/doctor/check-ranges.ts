import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

/** Whether a cut download can go on where it stopped. */
export async function checkRanges(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/dump/persons.jsonl`, {
    headers: { Range: 'bytes=0-99', 'Accept-Encoding': 'identity' },
  });
  if (status === 206 && headers['content-range']?.startsWith('bytes 0-') && body.length <= 100) {
    return [fine('ranges', 'A cut download can go on where it stopped.')];
  }
  if (status === 416)
    return [fine('ranges', 'There is no person yet, so no part of a download could be asked for.')];
  return [
    fault(
      'ranges',
      `A part of a download was asked for, and ${status} came: a cut download begins anew. Let the proxy pass Range (Varnish needs a line for it; see docs/operations.md).`,
    ),
  ];
}
