import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { CsvError } from './csv-error.ts';

/** Decodes a chunk, which begins in a line; without a chunk, flushes the decoder. */
export type Decode = (bytes?: Uint8Array, line?: number) => string;

/** The decoder of a file in UTF-8, or in UTF-16 with a byte order mark. @throws CsvError if it is in neither */
export function decoderOf(head: Buffer): Decode {
  const [first = 1, second = 1, third = 1, fourth = 1] = head;
  const isWide = (first === 0xff && second === 0xfe) || (third === 0xfe && fourth === 0xff);
  if (isWide && (first + second === 0 || third + fourth === 0))
    throw new CsvError('is UTF-32; save it as "CSV UTF-8"');
  if (first === 0xff && second === 0xfe) return decoder('utf-16le', 'UTF-16');
  if (first === 0xfe && second === 0xff) return decoder('utf-16be', 'UTF-16');
  const start = head.subarray(0, 1_024);
  // A single NUL is a character of a text; of UTF-16, every line end has one.
  const isFeedWide = (at: number) => start[at - 1] === 0 || start[at + 1] === 0;
  if (start.includes(0) && [...start.keys()].every((at) => start[at] !== 10 || isFeedWide(at))) {
    throw new CsvError('looks like UTF-16 without a byte order mark; save it as "CSV UTF-8"');
  }
  return decoder('utf-8', 'UTF-8');
}

/** Whether a label is that of an encoding: one that browsers know, or a code page of DOS, such as cp850. */
export function isEncoding(label: string): boolean {
  try {
    return codePageOf(label) !== undefined || new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** A code page of DOS by its label; undefined for other encodings. */
function codePageOf(label: string): string | undefined {
  return /^(?:cp|ibm)\d{3}$/i.test(label) && iconv.encodingExists(label) ? label : undefined;
}

/** The decoder of an encoding. @param name what faults call it */
export function decoder(encoding: string, name: string): Decode {
  const page = codePageOf(encoding);
  if (page !== undefined) {
    const pages = iconv.getDecoder(page);
    return (bytes) => (bytes ? pages.write(Buffer.from(bytes)) : (pages.end() ?? ''));
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  let hasUtf8 = false;
  let last: { bytes: Uint8Array; line: number } = { bytes: new Uint8Array(), line: 1 };
  return (bytes, line = 1) => {
    if (bytes) last = { bytes, line };
    try {
      const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
      hasUtf8 ||= name === 'UTF-8' && /\P{ASCII}/u.test(text);
      return text;
    } catch {
      throw name === 'UTF-8'
        ? notUtf8(last.bytes, last.line, hasUtf8)
        : new CsvError(`is not valid ${name}; save it as "CSV UTF-8"`);
    }
  };
}

/** Encodings of files that are not UTF-8, each with what faults call it. */
const OTHERS = {
  'windows-1252': 'Windows-1252 (Latin-1), which Excel writes as "CSV"',
  cp850: 'code page 850, of DOS',
  macintosh: 'Mac OS Roman, which Excel for Mac writes as "CSV"',
};

/** A word with other letters than ASCII as Dutch and English have them: none beside another, no opening quote in a word. */
const USUAL_WORD =
  /^(?:\p{ASCII}|éé|[àáâäåæçèéêëìíîïñòóôöøùúûüœß](?![à-ÿ])|(?<!\p{Ll})[ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜŒ](?![à-ÿ])|(?<!\p{L})[‘“„«]|[’”–—…€£§°©®·½¼¾»\u00a0])*$/u;

/** The encoding in which words look Dutch or English, and which makes most of them of their usual letters. */
function encodingOf(bytes: Uint8Array) {
  const found = Object.entries(OTHERS).flatMap(([encoding, name]) => {
    const text = decoder(encoding, name)(bytes);
    const words = text.match(/\S*\P{ASCII}\S*/gu) ?? [];
    const isUsual = words.filter((word) => !USUAL_WORD.test(word)).length * 5 <= words.length;
    return isUsual ? [{ encoding, name, count: text.match(/[éèëêïöüç]/g)?.length ?? 0 }] : [];
  });
  return found.toSorted((one, other) => other.count - one.count)[0];
}

/** The fault of a chunk that is not UTF-8: of its line, if other lines are UTF-8 with other characters than ASCII. */
function notUtf8(bytes: Uint8Array, line: number, hasUtf8: boolean): CsvError {
  // A byte is a character of Latin-1.
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r\n|\n|\r/);
  const read = lines.map((text, index) => {
    // The first line may begin within a character.
    const whole = index === 0 ? text.replace(/^[\x80-\xbf]{1,3}/, '') : text;
    return { whole, isSound: isUtf8(Buffer.from(whole, 'latin1')) };
  });
  const wrong = read.findIndex(({ isSound }) => !isSound);
  const hasOther = hasUtf8 || read.some(({ whole, isSound }) => isSound && /[\x80-\xff]/.test(whole));
  const shown = JSON.stringify(read[wrong]?.whole.slice(0, 80));
  if (hasOther && wrong >= 0)
    return new CsvError(`is not UTF-8, but other lines are; in Windows-1252 it is ${shown}`, line + wrong);
  const { encoding, name } = encodingOf(bytes) ?? {};
  return name === undefined
    ? new CsvError(
        'is not UTF-8 text, nor Dutch or English in Windows-1252, code page 850 or Mac OS Roman; save it as "CSV UTF-8", or name its encoding in the map of an import',
      )
    : new CsvError(`is not UTF-8 text; it looks like ${name}: save it as "CSV UTF-8"`, undefined, encoding);
}
