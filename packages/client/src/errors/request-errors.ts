import { ArchiveError } from './archive-errors.ts';

/** A failed request. `url` is the requested address. */
export class RequestError extends ArchiveError {
  override name = 'RequestError';
  readonly url: string;
  /** Whether a later retry may succeed. */
  readonly isPassing: boolean = false;

  constructor(url: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.url = url;
  }
}

/** The server could not be reached, or the connection broke, possibly during a response. */
export class ConnectionError extends RequestError {
  override name = 'ConnectionError';
  override readonly isPassing = true;
  /** Whether retries are useless: the host name cannot be resolved, or the certificate is not trusted. */
  readonly isHopeless: boolean;

  constructor(url: string, cause: unknown) {
    const { code, message } = innermost(cause);
    const advice = adviceFor(code);
    super(url, `${url}: the connection failed (${message})${advice ? `; ${advice}` : ''}`, { cause });
    this.isHopeless = advice !== undefined;
  }
}

/** The server sent nothing for longer than the timeout. */
export class SilenceError extends RequestError {
  override name = 'SilenceError';
  override readonly isPassing = true;

  constructor(url: string, timeoutMs: number) {
    super(url, `${url}: the server sent nothing for ${timeoutMs / 1000} s`);
  }
}

/** The server sent less than the minimum rate. */
export class SlowAnswerError extends RequestError {
  override name = 'SlowAnswerError';
  override readonly isPassing = true;

  /** @param ms duration in milliseconds */
  constructor(url: string, bytes: number, ms: number) {
    const seconds = Number((ms / 1000).toFixed(1));
    super(url, `${url}: the server sent ${bytes} bytes in ${seconds} s, expected at least 1 kB per second`);
  }
}

/** Content of a problem document (RFC 9457). */
export interface ProblemFacts {
  /** The last segment of `type`. */
  name?: string | undefined;
  detail?: string | undefined;
  type?: string | undefined;
  expected?: string | undefined;
  fields?: readonly string[] | undefined;
}

/** Statuses below 500 that are worth a retry. */
const PASSING_STATUSES = new Set([408, 425, 429]);

/** Kinds of problems that are permanent, whatever their status. */
const LASTING_PROBLEMS = new Set(['unwritable-record']);

/** The server responded with a status other than 200. */
export class StatusError extends RequestError {
  override name = 'StatusError';
  override readonly isPassing: boolean;
  readonly status: number;
  /** `detail` of the problem document, else its `title`, or undefined. */
  readonly detail: string | undefined;
  /** Kind of the problem, such as `no-such-edition`, or undefined. */
  readonly problem: string | undefined;
  /** URL of the help page of that kind. */
  readonly type: string | undefined;
  /** What is expected instead. */
  readonly expected: string | undefined;
  /** Valid fields, if an unknown one was requested. */
  readonly fields: readonly string[] | undefined;

  constructor(url: string, status: number, problem: ProblemFacts = {}) {
    const { name, detail, type, expected, fields } = problem;
    super(url, `${url}: the server responded with status ${status}${detail ? `: ${detail}` : ''}`);
    this.isPassing = (status >= 500 || PASSING_STATUSES.has(status)) && !LASTING_PROBLEMS.has(name ?? '');
    this.status = status;
    this.detail = detail;
    this.problem = name;
    this.type = type;
    this.expected = expected;
    this.fields = fields;
  }
}

/** The response does not match the contract: HTML, invalid JSON, another schema. */
export class WrongAnswerError extends RequestError {
  override name = 'WrongAnswerError';

  /**
   * @param expected description of the expected response, and of the difference
   * @param body of the response; the message quotes its beginning
   */
  constructor(url: string, expected: string, body: string, options?: ErrorOptions) {
    const beginning = body.slice(0, 120).replace(/\s+/g, ' ').trim();
    super(url, `${url}: ${expected}; the response begins with: ${beginning || '(nothing)'}`, options);
  }
}

/** The response is larger than the limit after decompression. */
export class TooLargeError extends RequestError {
  override name = 'TooLargeError';

  constructor(url: string, maxBytes: number) {
    const limit = maxBytes < 1e6 ? `${maxBytes} bytes` : `${Math.round(maxBytes / 1e6)} MB`;
    super(url, `${url}: the response is larger than the limit of ${limit}`);
  }
}

/** The server redirects to an address outside the base URL. */
export class RedirectError extends RequestError {
  override name = 'RedirectError';

  constructor(url: string, location: string) {
    super(
      url,
      `${url}: the server redirects to ${location}, which is outside the base URL; use that address as the base URL`,
    );
  }
}

/** The server requests a longer wait than allowed. */
export class LongWaitError extends RequestError {
  override name = 'LongWaitError';
  override readonly isPassing = true;

  constructor(url: string, waitMs: number, maxWaitMs: number) {
    const seconds = Math.ceil(waitMs / 1000);
    super(url, `${url}: the server asks to wait ${seconds} s, longer than the ${maxWaitMs / 1000} s allowed`);
  }
}

/** Code and message of the innermost cause of an error. */
function innermost(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return innermost(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return { code: 'code' in error ? String(error.code) : '', message: error.message.trim() };
}

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET)_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** Advice for a permanent failure, by its code in Node; undefined for other failures. */
function adviceFor(code: string): string | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name cannot be resolved: check it';
  if (UNTRUSTED.test(code)) {
    return 'the certificate is not trusted: check the address, or add the authority with NODE_EXTRA_CA_CERTS';
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return 'the port may not use TLS: try http instead of https';
  return undefined;
}
