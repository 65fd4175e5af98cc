import { CsvError } from './csv-error.ts';
import { CsvParser, type CsvRow, type Delimiter } from './csv-parser.ts';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** Bytes from which encoding and delimiter are told: more than any header takes. */
const HEAD = 64 * 1024;

/**
 * Reads the rows of a CSV file in any of the dialects that spreadsheets write: comma, semicolon or tab; UTF-8 with
 * or without a byte order mark, or UTF-16 with one. A few rows are in memory at a time.
 *
 * @throws CsvError when the text is in another encoding, or not CSV
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  let head = Buffer.alloc(0);
  let parser: CsvParser | undefined;
  let decode: Decode | undefined;
  const begin = function* (bytes: Buffer): Generator<CsvRow> {
    decode = decoderOf(bytes);
    const text = decode(bytes);
    parser = new CsvParser(delimiterOf(text));
    yield* parser.push(text);
  };
  for await (const chunk of chunks) {
    if (parser && decode) {
      yield* parser.push(decode(chunk));
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD) yield* begin(head);
  }
  if (!parser) yield* begin(head);
  if (decode && parser) yield* parser.push(decode());
  if (parser) yield* parser.finish();
}

/** Decodes bytes as they come; without any, what is left. */
type Decode = (bytes?: Uint8Array) => string;

function decoderOf(head: Buffer): Decode {
  const [first = 1, second = 1] = head;
  if (first === 0xff && second === 0xfe) return decoder('utf-16le', 'UTF-16');
  if (first === 0xfe && second === 0xff) return decoder('utf-16be', 'UTF-16');
  if (head.length > 1 && (first === 0 || second === 0)) {
    throw new CsvError('looks like UTF-16 without a byte order mark; save it as "CSV UTF-8"');
  }
  return decoder('utf-8', 'UTF-8');
}

function decoder(encoding: string, name: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new CsvError(
        name === 'UTF-8'
          ? 'is not UTF-8 text; it looks like Windows-1252 (Latin-1), which Excel writes as "CSV": save it as "CSV UTF-8"'
          : `begins as ${name}, but is no ${name} text; save it as "CSV UTF-8"`,
      );
    }
  };
}

/** The delimiter that the first line has most of, outside of quotes. */
function delimiterOf(text: string): Delimiter {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((most, each) => (count(each) > count(most) ? each : most));
}
