import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A certificate of localhost, which is trusted with `NODE_EXTRA_CA_CERTS` only. */
export const TEST_CERTIFICATE = join(import.meta.dirname, 'tls/cert.pem');

/** The certificate, and its key. */
export async function readTestTls(): Promise<{ key: string; cert: string }> {
  const key = await readFile(join(import.meta.dirname, 'tls/key.pem'), 'utf8');
  return { key, cert: await readFile(TEST_CERTIFICATE, 'utf8') };
}
