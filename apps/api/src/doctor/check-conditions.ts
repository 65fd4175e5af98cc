import { fetchRaw } from './fetch-raw.ts';
import { advice, type Finding, fault, fine } from './finding.ts';

/** Whether a client that holds an answer is told so with 304, and HEAD and GET agree. */
export async function checkConditions(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const etag = headers['etag'];
  if (etag === undefined) {
    return [
      fault(
        'ETag',
        'The ETag is gone: caches and clients fetch everything anew. Let the proxy pass it (nginx: leave compression to the server).',
      ),
    ];
  }
  const findings: Finding[] = [];
  const again = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag } });
  if (again.status !== 304) {
    findings.push(
      fault(
        'ETag',
        `If-None-Match with the ETag just given gets ${again.status}, not 304. The proxy drops the header, or changes the ETag.`,
      ),
    );
  }
  if (etag.startsWith('W/')) {
    findings.push(
      advice(
        'ETag',
        'The ETag was made weak, which proxies do that compress. Leave compression to the server, so that cut downloads can go on where they stopped.',
      ),
    );
  }
  const head = await fetchRaw(url, { method: 'HEAD' });
  if (head.status !== 200)
    findings.push(fault('HEAD', `HEAD gets ${head.status} where GET gets 200. Let the proxy pass HEAD.`));
  return findings.length > 0 ? findings : [fine('ETag', 'What a client holds is answered with 304.')];
}
