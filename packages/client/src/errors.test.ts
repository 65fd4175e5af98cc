import { expect, test } from 'vitest';
import { connectionError } from './errors.ts';

test.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND a.test', 'cannot be resolved'],
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'the server needs a new one'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid', 'check the clock'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Host: a.test', 'that of another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'error:0A00010B:SSL routines::wrong version number', 'try http'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tlsv1 alert protocol version', 'no version or cipher'],
  ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling', 'user name and password'],
  ['', '', 'user name and password'],
])('%s: %s has a sentence of its own', (code, message, sentence) => {
  const cause = Object.assign(new Error(message), { code });
  const error = connectionError('https://a.test', new TypeError('fetch failed', { cause }));
  expect(error.message).toContain(sentence);
  expect(error.reason).toBe('address');
});
