import { type MapTiles, parseMapTiles } from '@archiefkast/site/map-tiles';
import { parseWebAddress } from '@archiefkast/types/web-address';
import { z } from 'zod';
import { type DatabaseAddress, parseDatabaseUrl } from './storage/database-url.ts';

/** The levels of the log, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Any text. */
export function text() {
  return z.string();
}

/** One of `names`, in either case. */
export function oneOf<const Name extends string>(names: readonly Name[]) {
  return parsed(`one of ${names.join(', ')}`, (given) => names.find((name) => name === given.toLowerCase()));
}

/** A whole number between bounds. */
export function wholeNumber(least: number, most: number) {
  return parsed(`a whole number from ${least} to ${most}`, (given) => parseWhole(given, least, most));
}

/** `on` or `off`. */
export function onOff() {
  return parsed('on or off', (given) => ({ on: true, off: false })[given.toLowerCase()]);
}

/** A port to listen on, 0 for any; undefined where it is `off`. */
export function optionalPort() {
  return parsed(
    'a whole number from 0 to 65535, or off',
    (given): { port: number | undefined } | undefined => {
      if (given.toLowerCase() === 'off') return { port: undefined };
      const port = parseWhole(given, 0, 65_535);
      return port === undefined ? undefined : { port };
    },
  ).transform(({ port }) => port);
}

/** The path of a folder; undefined where it is `off`. */
export function optionalFolder() {
  return z.string().transform((given) => (given.toLowerCase() === 'off' ? undefined : given));
}

/** A size given in whole megabytes, as bytes. */
export function megabytes(least: number, most: number) {
  return wholeNumber(least, most).transform((number) => number * 2 ** 20);
}

/** A duration given in whole seconds, as milliseconds. */
export function seconds(least: number, most: number) {
  return wholeNumber(least, most).transform((number) => number * 1_000);
}

/** What the value of an HTTP header may hold. */
export function headerValue(expected: string) {
  return parsed(expected, (given) => (/^[\x20-\x7e]+$/.test(given) ? given : undefined));
}

/** The root of links: an address on the web, without a slash at its end. */
export function rootUrl() {
  return parsed(
    'an absolute http or https URL with a host of letters, digits, "." and "-", without query, fragment or password',
    (given) => {
      const url = parseWebAddress(URL.parse(given)?.href ?? '');
      if (!url || url.search || url.hash || url.username || url.password) return undefined;
      // It is part of headers, whose grammar of hosts has no underscore.
      return url.hostname.includes('_') ? undefined : url.href.replace(/\/+$/, '');
    },
  );
}

/** What maps show under their places; undefined where it is `off`. */
export function optionalTiles() {
  const expected =
    'an address of tiles with {z}, {x} and {y}, a bar and the credit ' +
    '(https://tile.example/{z}/{x}/{y}.png|© Example), or off';
  return parsed(expected, (given): { tiles: MapTiles | undefined } | undefined => {
    if (given.toLowerCase() === 'off') return { tiles: undefined };
    const tiles = parseMapTiles(given);
    return tiles && { tiles };
  }).transform(({ tiles }) => tiles);
}

/** The address of a database. */
export function databaseUrl() {
  return z.string().transform((given, context): DatabaseAddress => {
    const address = parseDatabaseUrl(given);
    if (!('expected' in address)) return Object.freeze(address);
    context.addIssue({ code: 'custom', message: `expected ${address.expected}` });
    return z.NEVER;
  });
}

/** A text that `parse` understands; the message of its fault says what was expected. */
function parsed<Value>(expected: string, parse: (given: string) => Value | undefined) {
  return z.string().transform((given, context): Value => {
    const value = parse(given);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });
}

function parseWhole(given: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(given) ? Number(given) : -1;
  return number >= least && number <= most ? number : undefined;
}
