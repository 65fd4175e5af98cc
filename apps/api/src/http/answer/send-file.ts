import type { ParameterizedContext } from 'koa';
import { ClientLeft } from '../../shared-work.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import { Problem } from '../problems/problems.ts';
import type { Coding } from '../request/accept.ts';
import { encodeStream } from './content-coding.ts';

/**
 * Sends a file as fast as the client takes it, or the part of it that is asked for (RFC 9110, section 14). The headers
 * must have been set before: a part is sent only of the version that `If-Range` names. Parts are of the bytes as they
 * are; a file in another coding is sent whole. Of a file that has never been made in full, no more is made than the part
 * needs.
 *
 * @throws Problem when the part asked for lies beyond the end
 */
export async function sendFile(
  context: ParameterizedContext,
  file: VirtualFile,
  coding: Coding,
): Promise<void> {
  context.set('Accept-Ranges', 'bytes');
  if (coding !== 'identity') {
    // A compressor begins to read at once, which is for nothing where no body is sent.
    if (context.method !== 'HEAD') context.body = encodeStream(await begin(file), coding);
    return;
  }
  const asked = context.method === 'GET' && isWanted(context) ? context.get('Range') : '';
  if (!asked) {
    await sendPart(context, file, { start: 0, end: file.size });
    return;
  }
  const size = file.size ?? (await measureFor(context, file, asked));
  const range = parseByteRange(asked, size ?? Number.POSITIVE_INFINITY);
  if (range === 'beyond') {
    context.set('Content-Range', `bytes */${size}`);
    throw rangeBeyondEnd(size ?? 0);
  }
  await sendPart(context, file, range ?? { start: 0, end: size });
  if (range) {
    context.status = 206;
    context.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${size ?? '*'}`);
  }
}

/**
 * Makes as much of the file as tells whether it has the range.
 *
 * @returns its size; undefined where the range is within it and the rest need not be made
 */
async function measureFor(
  context: ParameterizedContext,
  file: VirtualFile,
  asked: string,
): Promise<number | undefined> {
  const range = parseByteRange(asked, Number.POSITIVE_INFINITY);
  if (!range) return undefined;
  // A range that is counted from the end, or goes up to it, cannot be told without the size.
  const end = range === 'beyond' ? Number.POSITIVE_INFINITY : range.end;
  const { bytes, isWhole } = await file.measure(end, leaving(context));
  return isWhole ? bytes : undefined;
}

/** Whether the part is wanted of the version that is served now; a weak tag or a date cannot say so. */
function isWanted(context: ParameterizedContext): boolean {
  const version = context.get('If-Range');
  return version === '' || version === context.response.get('ETag');
}

async function sendPart(
  context: ParameterizedContext,
  file: VirtualFile,
  { start, end }: { start: number; end: number | undefined },
): Promise<void> {
  if (context.method !== 'HEAD') context.body = encodeStream(await begin(file, start, end), 'identity');
  if (end !== undefined) context.length = end - start;
}

/**
 * The bytes of a file, of which the first have been made: when that fails, the answer has not begun, and can say so.
 *
 * @throws what the file throws
 */
async function begin(file: VirtualFile, start?: number, end?: number): Promise<AsyncIterable<Buffer>> {
  if (file.isStored) return file.read(start, end);
  const bytes = file.read(start, end)[Symbol.asyncIterator]();
  const first = await bytes.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => bytes };
  })();
}

function rangeBeyondEnd(size: number): Problem {
  return new Problem(
    'invalid-range',
    {
      en: 'The range starts past the end of the file.',
      nl: 'Het bereik begint na het einde van het bestand.',
    },
    {
      en: `a range within the ${size} bytes of the file`,
      nl: `een bereik binnen de ${size} bytes van het bestand`,
    },
  );
}

/** A part of a file, in bytes; `end` is not included. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes.
 *
 * @returns the part; `beyond` when it begins after the end; undefined when the header is to be ignored: other units,
 *   several parts (of which the whole is an answer too), or no range at all
 */
export function parseByteRange(header: string, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'beyond' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'beyond' : { start, end };
}

/** Aborted when the client of a request leaves before it has been answered. */
export function leaving({ res }: ParameterizedContext): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    if (!res.writableFinished) left.abort(new ClientLeft());
  };
  if (res.destroyed) leave();
  else res.once('close', leave);
  return left.signal;
}
