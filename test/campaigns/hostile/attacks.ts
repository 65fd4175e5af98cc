import { connect, type Socket } from 'node:net';

/** Texts that blocked version 1.0 for a second to an hour: in their page, `check`, or the dump that contains them. */
export const TEXTS: readonly string[] = [
  '<div>'.repeat(100_000) + '</b>'.repeat(200_000),
  '<table><tr><td>'.repeat(60_000),
  '<b><p>'.repeat(100_000),
  '<svg><p>'.repeat(100_000),
  'x'.repeat(1_000_000) + '<sup>a</a>'.repeat(80_000),
  '<a '.repeat(60_000),
  `<a href=${' '.repeat(500_000)}`,
  '[^'.repeat(500_000),
  Array.from({ length: 40_000 }, (_, n) => `<a href="#fn-${n}">${n}</a>`).join(''),
  '<ul><li>x'.repeat(30_000),
  '\u0301\u0323'.repeat(200_000),
];

/** The persons with these texts. */
export const UUIDS = TEXTS.map(
  (_, place) => `00000000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`,
);

/** A person of a bundle with one of them. */
export const personOf = (uuid: string, place: number) => ({
  id: place + 1,
  uuid,
  title_nl: `Persoon ${place}`,
  content_nl: TEXTS[place % TEXTS.length],
});

/** A page of two megabytes, if a location has sixty events. */
export const LARGE_PAGE = '/en/api/events?page=3';
const REQUEST = `GET ${LARGE_PAGE} HTTP/1.1\r\nHost: a\r\n\r\n`;
const REQUESTS = REQUEST.repeat(Math.floor(53_000 / REQUEST.length));

/** Opens a connection that sends many requests and reads nothing. */
export function askAndReadNothing(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.once('connect', () => socket.write(REQUESTS));
  return socket;
}
