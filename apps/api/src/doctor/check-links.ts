import { fetchRaw } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

const LINK = /"(https?:\/\/[^"\\]+?)\/(?:en|nl)\/(?:api|personen|onderwerpen|locaties|gebeurtenissen)\b/g;

/** Whether every link leads back to the public address, by the scheme and the host that clients use. */
export async function checkLinks(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/persons`);
  if (status >= 300 && status < 400) return [describeRedirect(baseUrl, status, headers['location'] ?? '')];
  if (status === 503) {
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons answers 503: nothing is published, or the server is not ready.`,
      ),
    ];
  }
  if (status !== 200 || !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    const what = `${status}, ${headers['content-type'] ?? 'no content type'}`;
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons does not answer as an archive does (${what}). A path prefix belongs in BASE_URL, and the proxy takes it off.`,
      ),
    ];
  }
  const roots = new Set([...body.toString('utf8').matchAll(LINK)].map(([, root = '']) => root));
  const elsewhere = [...roots].filter((root) => root !== baseUrl);
  if (elsewhere.length === 0) return [fine('links', `Every link begins with ${baseUrl}.`)];
  return elsewhere.map((root) => describeElsewhere(baseUrl, root));
}

function describeRedirect(baseUrl: string, status: number, to: string): Finding {
  const secure = baseUrl.replace(/^http:/, 'https:');
  return to.startsWith(secure) && baseUrl !== secure
    ? fault(
        'links',
        `${baseUrl} leads on to https (${status}). Set BASE_URL=${secure}, so that links do not take the detour.`,
      )
    : fault(
        'links',
        `${baseUrl}/en/api/persons leads on to ${to || 'nowhere'} (${status}). Set BASE_URL to the address where the archive answers.`,
      );
}

function describeElsewhere(baseUrl: string, root: string): Finding {
  const isScheme = root.replace(/^https?:/, '') === baseUrl.replace(/^https?:/, '');
  const why = isScheme ? 'the same host by another scheme' : 'another address';
  return fault(
    'links',
    `Links lead to ${root}, ${why} than ${baseUrl}. The server was started with BASE_URL=${root}; start it with BASE_URL=${baseUrl}.`,
  );
}
