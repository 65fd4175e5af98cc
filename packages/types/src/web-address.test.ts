import { expect, test } from 'vitest';
import { isWebAddress, parseWebAddress } from './web-address.ts';

test.each([
  'https://archive.test',
  'http://archive.test:8080/a/b.jpg?c=d&e=;#f',
  'https://192.0.2.7/x.jpg',
  'https://[2001:db8::1]:8443/x.jpg',
  'https://[::ffff:192.0.2.7]/x.jpg',
  'https://my_museum.test/x.jpg',
  'https://münchen.test/x.jpg',
  'https://user:password@archive.test/x.jpg',
  'https://archive.test/x;script-src *,y.jpg'.replaceAll(' ', '%20'),
])('%s is a web address', (text) => {
  expect(isWebAddress(text)).toBe(true);
});

test.each([
  '',
  'foo.jpg',
  '//archive.test/foo.jpg',
  'http:foo.jpg',
  'https:/foo.jpg',
  'https:///archive.test/foo.jpg',
  'https:\\\\archive.test',
  'https://?x',
  'https://:80/',
  'https://@/',
  'http://host:port/x.jpg',
  'http://host:70000/x.jpg',
  'https://a;script-src-elem/x.jpg',
  'https://a;sandbox',
  "https://a'b/",
  'https://a,b/',
  'https://*',
  'https://*.test/x.jpg',
  'https://a b/',
  'https://archive.test/a b.jpg',
  'https://archive.test/\u00a0.jpg',
  ' https://archive.test/',
  'HTTP://archive.test/',
  'ftp://archive.test/',
  'javascript:alert(1)',
  'data:image/png;base64,xx',
])('%s is not a web address', (text) => {
  expect(isWebAddress(text)).toBe(false);
});

test('is normalised as URL does it', () => {
  expect(parseWebAddress('https://MÜNCHEN.test:443/a')?.href).toBe('https://xn--mnchen-3ya.test/a');
});
