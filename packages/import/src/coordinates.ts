import proj4 from 'proj4';

/** The two parts of a point that a map can take from one text. */
export const COORDINATES = ['latitude', 'longitude'] as const;

/** A part of a point. */
export type Coordinate = (typeof COORDINATES)[number];

/** The grid of the Netherlands, Amersfoort / RD New (EPSG:28992), to within half a metre of RDNAPTRANS. */
const RD =
  '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel ' +
  '+towgs84=565.4171,50.3319,465.5524,-0.398957,0.343988,-1.877402,4.0725 +units=m +no_defs';

const NUMBER = String.raw`[+-]?\d+(?:[.,]\d+)?`;
const PAIR = new RegExp(`^(${NUMBER})[\\s;,/]+(${NUMBER})$`);
const WKT = new RegExp(`^(?:SRID=4326;)?\\s*POINT\\s*\\(\\s*(${NUMBER})\\s+(${NUMBER})\\s*\\)$`, 'i');

/** Degrees, with minutes and seconds if they have them, beside the direction: `52°00'42"N`, `N 52 00.7`, `4° 42′ 38″ O.L.` */
const LETTER = '(?:north|south|east|west|noord|zuid|oost|[NZ]\\.?B|[OW]\\.?L|[NSZEOW])\\.?(?!\\p{L})';
const PARTS =
  "(?<degrees>[+-]?\\d{1,3}(?:[.,]\\d+)?)\\s*[°º˚]?\\s*(?:(?<minutes>\\d{1,2}(?:[.,]\\d+)?)\\s*['’′]?\\s*" +
  "(?:(?<seconds>\\d{1,2}(?:[.,]\\d+)?)\\s*(?:[\"”″]|''|’’|′′)?\\s*)?)?";
const DEGREES = new RegExp(`(?<letter>${LETTER})\\s*${PARTS}|${PARTS}(?<letter>${LETTER})?`, 'giu');

/**
 * Reads a part of a point: of degrees with minutes and seconds, of a pair (latitude first), of WKT (longitude first).
 *
 * @returns decimal degrees; undefined for what is not understood
 */
export function readDegrees(text: string, wanted: Coordinate): string | undefined {
  const [, x, y] = WKT.exec(text) ?? [];
  const [, latitude = y, longitude = x] = PAIR.exec(text) ?? [];
  const plain = wanted === 'latitude' ? latitude : longitude;
  if (plain !== undefined) return plain.replace(',', '.');
  const found = [...text.matchAll(DEGREES)];
  const [own, ...others] = found.filter(({ groups }) => {
    const letter = groups?.['letter'];
    // A single text without a letter is of the field that it is for.
    return letter === undefined ? found.length === 1 : /^[nsz]/i.test(letter) === (wanted === 'latitude');
  });
  const isAll =
    found
      .map(([all]) => all)
      .join('')
      .replaceAll(/[\s,;/]/g, '') === text.replaceAll(/[\s,;/]/g, '');
  if (!own?.groups || others.length > 0 || !isAll) return undefined;
  const { degrees = '', minutes = '0', seconds = '0', letter = '' } = own.groups;
  const [whole = 0, minute = 0, second = 0] = [degrees, minutes, seconds].map((part) =>
    Number(part.replace(',', '.')),
  );
  if (minute >= 60 || second >= 60) return undefined;
  const isBack = degrees.startsWith('-') || /^[szw]/i.test(letter);
  return written((isBack ? -1 : 1) * (Math.abs(whole) + minute / 60 + second / 3600));
}

/** Reads a part of a point on the grid of the Netherlands: `108500 447500`, in metres. */
export function readRd(text: string, wanted: Coordinate): string | undefined {
  const [x = 0, y = 0] = (PAIR.exec(text) ?? []).slice(1).map((number) => Number(number.replace(',', '.')));
  // Its limits, beyond which x and y are likely exchanged.
  if (x < -7_000 || x > 300_000 || y < 289_000 || y > 629_000) return undefined;
  const [longitude, latitude] = proj4(RD, 'WGS84', [x, y]);
  return written(wanted === 'latitude' ? latitude : longitude);
}

/** Decimal degrees to six places, which is a tenth of a metre. */
function written(degrees: number): string {
  return String(Number(degrees.toFixed(6)));
}
