import { ArchiveError } from './archive-errors.ts';

/** A request that got no usable answer. `url` is the address that was asked for. */
export class RequestError extends ArchiveError {
  override name = 'RequestError';
  readonly url: string;
  /** Whether the same request may be answered later. */
  readonly isPassing: boolean = false;

  constructor(url: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.url = url;
  }
}

/** The server could not be reached, or the connection broke, also in the middle of an answer. */
export class ConnectionError extends RequestError {
  override name = 'ConnectionError';
  override readonly isPassing = true;
  /** Whether trying again cannot help: the host has no address, or its certificate cannot be trusted. */
  readonly isHopeless: boolean;

  constructor(url: string, cause: unknown) {
    const { code, message } = innermost(cause);
    const advice = adviceFor(code);
    super(url, `${url}: the connection failed (${message})${advice ? `; ${advice}` : ''}`, { cause });
    this.isHopeless = advice !== undefined;
  }
}

/** The server was silent for longer than the time-out. */
export class SilenceError extends RequestError {
  override name = 'SilenceError';
  override readonly isPassing = true;

  constructor(url: string, timeoutMs: number) {
    super(url, `${url}: the server was silent for ${timeoutMs / 1000} s`);
  }
}

/** The server was not silent, but sent so little that the answer might never end. */
export class SlowAnswerError extends RequestError {
  override name = 'SlowAnswerError';
  override readonly isPassing = true;

  /** @param ms the time in which the bytes came, in milliseconds */
  constructor(url: string, bytes: number, ms: number) {
    const seconds = Number((ms / 1000).toFixed(1));
    super(url, `${url}: the server sent ${bytes} bytes in ${seconds} s, where 1 kB in a second was expected`);
  }
}

/** What a problem document says (RFC 9457). */
export interface ProblemFacts {
  /** The last segment of `type`. */
  name?: string | undefined;
  detail?: string | undefined;
  type?: string | undefined;
  expected?: string | undefined;
  fields?: readonly string[] | undefined;
}

/** Statuses below 500 that may be others later. */
const PASSING_STATUSES = new Set([408, 425, 429]);

/** Kinds of problems that stay, whatever their status: a record that the server cannot write into a file. */
const LASTING_PROBLEMS = new Set(['unwritable-record']);

/** The server answered with a status other than 200. */
export class StatusError extends RequestError {
  override name = 'StatusError';
  override readonly isPassing: boolean;
  readonly status: number;
  /** What the server said about it (`detail` of its problem document, else its `title`), or undefined. */
  readonly detail: string | undefined;
  /** The kind of its problem, such as `no-such-edition`, or undefined. */
  readonly problem: string | undefined;
  /** The address of the help page of that kind. */
  readonly type: string | undefined;
  /** What would have been right. */
  readonly expected: string | undefined;
  /** The fields that there are, where one was asked for that there is not. */
  readonly fields: readonly string[] | undefined;

  constructor(url: string, status: number, problem: ProblemFacts = {}) {
    const { name, detail, type, expected, fields } = problem;
    super(url, `${url}: the server answered with status ${status}${detail ? `: ${detail}` : ''}`);
    this.isPassing = (status >= 500 || PASSING_STATUSES.has(status)) && !LASTING_PROBLEMS.has(name ?? '');
    this.status = status;
    this.detail = detail;
    this.problem = name;
    this.type = type;
    this.expected = expected;
    this.fields = fields;
  }
}

/** The server answered with something that is not the contract's: HTML, broken JSON, another contract. */
export class WrongAnswerError extends RequestError {
  override name = 'WrongAnswerError';

  /**
   * @param expected what the answer should have been, and where it is not
   * @param body the answer as it came; its first characters go into the message
   */
  constructor(url: string, expected: string, body: string, options?: ErrorOptions) {
    const beginning = body.slice(0, 120).replace(/\s+/g, ' ').trim();
    super(url, `${url}: ${expected}; the answer begins: ${beginning || '(nothing)'}`, options);
  }
}

/** The answer is larger than the limit, counted after decompression; reading stopped there. */
export class TooLargeError extends RequestError {
  override name = 'TooLargeError';

  constructor(url: string, maxBytes: number) {
    const limit = maxBytes < 1e6 ? `${maxBytes} bytes` : `${Math.round(maxBytes / 1e6)} MB`;
    super(url, `${url}: the answer is larger than ${limit}, the limit`);
  }
}

/** The server redirects to another place, which is not followed. */
export class RedirectError extends RequestError {
  override name = 'RedirectError';

  constructor(url: string, location: string) {
    super(url, `${url}: the server redirects to ${location}, which is outside the base URL; give that one`);
  }
}

/** The server asks to wait longer than allowed. */
export class LongWaitError extends RequestError {
  override name = 'LongWaitError';
  override readonly isPassing = true;

  constructor(url: string, waitMs: number, maxWaitMs: number) {
    const seconds = Math.ceil(waitMs / 1000);
    super(url, `${url}: the server asks to wait ${seconds} s, longer than the ${maxWaitMs / 1000} s allowed`);
  }
}

/** The innermost cause of an error: its code, where it has one, and its message. */
function innermost(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return innermost(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return { code: 'code' in error ? String(error.code) : '', message: error.message.trim() };
}

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET)_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** What to do about a failure that another try does not mend, by its code in Node; undefined for others. */
function adviceFor(code: string): string | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'no address was found for this host: check its name';
  if (UNTRUSTED.test(code)) {
    return 'its certificate cannot be trusted: check the address, or name the authority in NODE_EXTRA_CA_CERTS';
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return 'this port may not speak TLS: try http in place of https';
  return undefined;
}
