import { once } from 'node:events';
import type { ParameterizedContext } from 'koa';
import { ClientAborted } from '../../shared-work.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import { Problem } from '../problems/problems.ts';
import type { Coding } from '../request/accept.ts';
import { encodeStream } from './content-coding.ts';

/** Limit of measuring a file for a range, in milliseconds; well below the timeouts of clients. */
const MEASURE_MILLISECONDS = 8_000;

/**
 * Streams a file, or the requested range of it (RFC 9110, section 14). The headers must be set already, because
 * `If-Range` is compared with the ETag. Ranges are of the uncompressed bytes; a compressed file is sent whole, and so is a
 * file whose size cannot be found in time: proxies refuse a range of an unknown size (`bytes 0-9/*`).
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
    await sendStream(context, file.read(), coding);
    return;
  }
  const requested = context.method === 'GET' && isRangeAllowed(context) ? context.get('Range') : '';
  const size = requested ? await sizeWithin(MEASURE_MILLISECONDS, file, clientAbort(context)) : file.size;
  const range = size === undefined ? undefined : parseByteRange(requested, size);
  if (range === 'beyond') {
    context.set('Content-Range', `bytes */${size}`);
    throw rangeBeyondEnd(size ?? 0);
  }
  const { start, end } = range ?? { start: 0, end: size };
  await sendStream(context, file.read(start, end), 'identity');
  if (end !== undefined) context.length = end - start;
  if (range) {
    context.status = 206;
    context.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${size}`);
  }
}

/**
 * The size of a file, which is generated if it was never measured.
 *
 * @returns undefined if that takes longer than `milliseconds`
 * @throws the errors of the file, and the reason of `aborted`
 */
async function sizeWithin(
  milliseconds: number,
  file: VirtualFile,
  aborted: AbortSignal,
): Promise<number | undefined> {
  if (file.size !== undefined) return file.size;
  const patience = AbortSignal.timeout(milliseconds);
  try {
    return (await file.measure(Number.POSITIVE_INFINITY, AbortSignal.any([aborted, patience]))).bytes;
  } catch (error) {
    if (error === patience.reason) return undefined;
    throw error;
  }
}

/** Whether `If-Range` allows a range of the current version; a weak ETag or a date does not. */
function isRangeAllowed(context: ParameterizedContext): boolean {
  const version = context.get('If-Range');
  return version === '' || version === context.response.get('ETag');
}

/** A body failed after its status had been sent, so the response is cut off; see `cause`. */
export class ResponseCutOff extends Error {
  override name = 'ResponseCutOff';
}

/**
 * Sends a body as a stream. The status is sent when the first bytes are ready, so that a failure before is an error
 * response; a later one cuts the response off, which clients notice. HEAD generates nothing.
 *
 * @throws the errors of the body, until its first bytes are ready
 */
async function sendStream(
  context: ParameterizedContext,
  body: AsyncIterable<Buffer>,
  coding: Coding,
): Promise<void> {
  if (context.method === 'HEAD') return;
  let isReady = false;
  async function* watch(): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      throw isReady ? new ResponseCutOff('a response was cut off', { cause: error }) : error;
    }
  }
  const stream = encodeStream(watch(), coding);
  await once(stream, 'readable');
  isReady = true;
  context.body = stream;
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
function parseByteRange(header: string, size: number): ByteRange | 'beyond' | undefined {
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
