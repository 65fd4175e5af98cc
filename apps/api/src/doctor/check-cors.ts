import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

/** An origin that is not the archive's. */
const ORIGIN = 'https://elsewhere.example';

/** Whether pages of other origins may read the answers. */
export async function checkCors(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers } = await fetchRaw(url, { headers: { Origin: ORIGIN } });
  const allowed = headers['access-control-allow-origin'];
  const findings: Finding[] = [];
  if (allowed !== '*' && allowed !== ORIGIN) {
    const what = allowed === undefined ? 'is gone' : `is "${allowed}"`;
    findings.push(
      fault(
        'CORS',
        `Access-Control-Allow-Origin ${what}: pages of other sites cannot read the archive. Let the proxy pass the header as it is, and add none of its own.`,
      ),
    );
  }
  if (!headers['access-control-expose-headers']?.includes('Archive-Edition')) {
    findings.push(
      fault(
        'CORS',
        'Access-Control-Expose-Headers is gone or cut: scripts of other sites cannot see ETag and Archive-Edition. Let the proxy pass it as it is.',
      ),
    );
  }
  const preflight = await fetchRaw(url, {
    method: 'OPTIONS',
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    },
  });
  if (preflight.status >= 300 || preflight.headers['access-control-allow-methods'] === undefined) {
    findings.push(
      fault(
        'CORS',
        `A preflight request (OPTIONS) gets ${preflight.status}: browsers then send no conditional requests from other sites. Let the proxy pass OPTIONS.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [fine('CORS', 'Pages of other sites may read every answer.')];
}
