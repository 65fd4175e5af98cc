import { gunzipSync } from 'node:zlib';
import { fetchRaw } from './fetch-raw.ts';
import { advice, type Finding, fault, fine } from './finding.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether answers are compressed, and once. */
export async function checkCompression(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers, body } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const coding = headers['content-encoding'];
  if (coding === undefined) {
    return isGzip(body)
      ? [
          fault(
            'compression',
            'The body is compressed, but Content-Encoding is gone: clients get bytes that they cannot read.',
          ),
        ]
      : [
          advice(
            'compression',
            'Answers come uncompressed though gzip was accepted. Let the proxy pass Accept-Encoding; a server on this very machine answers so too, and that is right.',
          ),
        ];
  }
  if (/,/.test(coding) || (isGzip(body) && isGzip(gunzipSync(body)))) {
    return [
      fault(
        'compression',
        `Answers are compressed twice (Content-Encoding: ${coding}): clients get bytes that they cannot read. Switch the proxy's compression off for the archive.`,
      ),
    ];
  }
  const plain = await fetchRaw(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (plain.headers['content-encoding'] !== undefined || isGzip(plain.body)) {
    return [
      fault(
        'compression',
        'A client that accepts no compression gets a compressed answer: a cache mixes them up. It must heed Vary: Accept-Encoding.',
      ),
    ];
  }
  return [fine('compression', 'Answers are compressed once, and only where a client accepts it.')];
}

function isGzip(body: Buffer): boolean {
  return body.subarray(0, 2).equals(GZIP);
}
