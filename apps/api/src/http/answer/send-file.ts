import type { ParameterizedContext } from 'koa';
import { ClientAborted } from '../../shared-work.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import { Problem } from '../problems/problems.ts';
import type { Coding } from '../request/accept.ts';
import { encodeStream } from './content-coding.ts';

/**
 * Streams a file, or the requested range of it (RFC 9110, section 14). The headers must be set already, because
 * `If-Range` is compared with the ETag. Ranges are of the uncompressed bytes; a compressed file is sent whole. A file that
 * was never measured is generated only as far as the range needs.
 *
 * @throws Problem if the range starts past the end
 */
export async function sendFile(
  context: ParameterizedContext,
  file: VirtualFile,
  coding: Coding,
): Promise<void> {
  context.set('Accept-Ranges', 'bytes');
  if (coding !== 'identity') {
    // A compressor starts to read at once, which HEAD does not need.
    if (context.method !== 'HEAD') context.body = encodeStream(await begin(file), coding);
    return;
  }
  const requested = context.method === 'GET' && isRangeAllowed(context) ? context.get('Range') : '';
  if (!requested) {
    await sendPart(context, file, { start: 0, end: file.size });
    return;
  }
  const size = file.size ?? (await measureFor(context, file, requested));
  const range = parseByteRange(requested, size ?? Number.POSITIVE_INFINITY);
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
 * Generates as much of the file as needed to know whether it contains the range.
 *
 * @returns its size; undefined if the range is within the part that was generated
 */
async function measureFor(
  context: ParameterizedContext,
  file: VirtualFile,
  requested: string,
): Promise<number | undefined> {
  const range = parseByteRange(requested, Number.POSITIVE_INFINITY);
  if (!range) return undefined;
  // A range relative to the end, or up to it, needs the size.
  const end = range === 'beyond' ? Number.POSITIVE_INFINITY : range.end;
  const { bytes, isWhole } = await file.measure(end, clientAbort(context));
  return isWhole ? bytes : undefined;
}

/** Whether `If-Range` allows a range of the current version; a weak ETag or a date does not. */
function isRangeAllowed(context: ParameterizedContext): boolean {
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
 * The bytes of a file, of which the first chunk has been generated: a failure can still be sent as an error response.
 *
 * @throws the errors of the file
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

/** A part of a file, in bytes; `end` is exclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes.
 *
 * @returns the range; `beyond` if it starts past the end; undefined if the header is ignored: other units, several
 *   ranges, or an invalid range
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

/** A signal that aborts when the client closes the connection before the end of the response. */
export function clientAbort({ res }: ParameterizedContext): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!res.writableFinished) controller.abort(new ClientAborted());
  };
  if (res.destroyed) abort();
  else res.once('close', abort);
  return controller.signal;
}
