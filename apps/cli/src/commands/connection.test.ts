import { expect, test } from 'vitest';
import { acceptEncoding } from './connection.ts';

test.each([
  'http://localhost:3000',
  'http://archive.localhost/path',
  'http://127.0.0.1:3000',
  'http://127.8.9.10',
  'http://[::1]:3000',
])('%s is a local address: no compression is requested', (baseUrl) => {
  expect(acceptEncoding(baseUrl)).toBe('identity');
});

test.each([
  'https://archive.example.org',
  'https://localhost.example.org',
  'https://notlocalhost',
  'http://128.0.0.1',
  'http://127.0.0.1.example.org',
  'http://[::2]',
  'no URL',
])('%s is a remote address: compression is requested', (baseUrl) => {
  expect(acceptEncoding(baseUrl)).toBe('zstd, br, gzip');
});
