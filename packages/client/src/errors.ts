/** Base class of the errors of this library. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** An option is invalid; the message names the option and the expected value. */
export class OptionError extends ArchiveError {
  override name = 'OptionError';
}

/** A folder cannot be used: it contains another harvest, or none. */
export class FolderError extends ArchiveError {
  override name = 'FolderError';
}

/**
 * Why a `next` link is not followed: its page was visited before, is on another origin, or is another list; it does not keep a
 * query parameter; its page is not the next one, or beyond the count of the list.
 */
export type NextFault = 'cycle' | 'origin' | 'path' | 'query' | 'page' | 'count';

/** A `next` link that is not followed. The message has both URLs. */
export class NextError extends ArchiveError {
  override name = 'NextError';
  /** The page with the link. */
  readonly url: string;
  readonly next: string;
  readonly reason: NextFault;

  /** @param message the end of the sentence */
  constructor(page: { url: string; next: string }, reason: NextFault, message: string) {
    super(`${page.url} names ${page.next} as its next page, ${message}`);
    this.url = page.url;
    this.next = page.next;
    this.reason = reason;
  }
}

/** Why a request failed. */
export type RequestFault =
  /** The host name cannot be resolved, or the certificate is not trusted: retries are useless. */
  | 'address'
  /** The server could not be reached, or the connection broke, possibly during a response. */
  | 'connection'
  /** The server sent nothing for longer than the timeout. */
  | 'silence'
  /** The server sent less than the minimum rate. */
  | 'slow'
  /** The server asks for a longer wait than allowed. */
  | 'wait'
  /** The response is larger than the limit after decompression. */
  | 'size'
  /** The server redirects to an address outside the base URL. */
  | 'redirect'
  /** The server responded with a status other than 200: a `StatusError`. */
  | 'status'
  /** The response does not match the contract: HTML, invalid JSON, another schema. */
  | 'response';

const PASSING: ReadonlySet<RequestFault> = new Set(['address', 'connection', 'silence', 'slow', 'wait']);

/** A failed request. `url` is the requested address. */
export class RequestError extends ArchiveError {
  override name = 'RequestError';
  readonly url: string;
  readonly reason: RequestFault;
  /** Whether a later retry may succeed. */
  readonly isPassing: boolean;

  constructor(url: string, reason: RequestFault, message: string, cause?: unknown) {
    super(`${url}: ${message}`, cause === undefined ? undefined : { cause });
    this.url = url;
    this.reason = reason;
    this.isPassing = PASSING.has(reason);
  }
}

/** The server asks for a wait that is longer than allowed. */
export class WaitError extends RequestError {
  /** How long, in milliseconds. */
  readonly waitMs: number;

  constructor(url: string, waitMs: number, maxWaitMs: number) {
    const asked = `the server asks to wait ${Math.ceil(waitMs / 1000)} s`;
    super(url, 'wait', `${asked}, longer than the ${maxWaitMs / 1000} s allowed`);
    this.waitMs = waitMs;
  }
}

/** The error of a failed or broken connection, with advice if retries are useless. */
export function connectionError(url: string, cause: unknown): RequestError {
  const { code, message } = innermost(cause);
  const advice = adviceFor(`${code} ${message}`);
  const what = `the connection failed (${message})`;
  if (advice === undefined) return new RequestError(url, 'connection', what, cause);
  return new RequestError(url, 'address', `${what}; ${advice}`, cause);
}

/** The error of a response that has less than it promises, however its end is marked. */
export function cutError(url: string, bytes: number): RequestError {
  return connectionError(url, new Error(`the response ended early, after ${bytes} bytes`));
}

/** The error of a response of more bytes than allowed. */
export function sizeError(url: string, maxBytes: number): RequestError {
  const limit = maxBytes < 1e6 ? `${maxBytes} bytes` : `${Math.round(maxBytes / 1e6)} MB`;
  return new RequestError(url, 'size', `the response is larger than the limit of ${limit}`);
}

/**
 * The error of a response that does not match the contract.
 *
 * @param expected description of the expected response, and of the difference
 * @param body of the response; the message quotes its beginning
 */
export function responseError(url: string, expected: string, body?: string, cause?: unknown): RequestError {
  const beginning = body?.slice(0, 120).replace(/\s+/g, ' ').trim();
  const what = body === undefined ? '' : `; the response begins with: ${beginning || '(nothing)'}`;
  return new RequestError(url, 'response', `${expected}${what}`, cause);
}

/** Content of a problem document (RFC 9457). */
export interface ProblemFacts {
  /** Kind of the problem, such as `no-such-edition`: the last segment of `type`. */
  problem?: string | undefined;
  /** `detail` of the problem document, else its `title`. */
  detail?: string | undefined;
  /** URL of the help page of that kind. */
  type?: string | undefined;
  /** What is expected instead. */
  expected?: string | undefined;
  /** Valid fields, if an unknown one was requested. */
  fields?: readonly string[] | undefined;
  /** Valid queries, if an invalid one was requested. */
  corrections?: readonly string[] | undefined;
}

/** Statuses below 500 that are worth a retry. */
const PASSING_STATUSES = new Set([408, 425, 429]);

/** Kinds of problems that are permanent, whatever their status. */
const LASTING_PROBLEMS = new Set(['unwritable-record']);

/** The server responded with a status other than 200; the problem document says why. */
export class StatusError extends RequestError implements ProblemFacts {
  override name = 'StatusError';
  override readonly isPassing: boolean;
  readonly status: number;
  declare readonly problem: string | undefined;
  declare readonly detail: string | undefined;
  declare readonly type: string | undefined;
  declare readonly expected: string | undefined;
  declare readonly fields: readonly string[] | undefined;
  declare readonly corrections: readonly string[] | undefined;

  constructor(url: string, status: number, facts: ProblemFacts = {}) {
    const { problem = '', detail = status === 407 ? PROXY_LOGIN : '', corrections = [] } = facts;
    const better = corrections.length > 0 ? ` Try: ${corrections.join(' | ')}` : '';
    super(url, 'status', `the server responded with status ${status}${detail && `: ${detail}`}${better}`);
    this.status = status;
    this.isPassing = (status >= 500 || PASSING_STATUSES.has(status)) && !LASTING_PROBLEMS.has(problem);
    Object.assign(this, facts);
  }
}

/** Code and message of the innermost cause of an error. */
function innermost(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return innermost(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return { code: 'code' in error ? String(error.code) : '', message: error.message.trim() || NO_REASON };
}

/** Fetch gives no reason for status 407 (Fetch standard, HTTP-network-or-cache fetch). */
const NO_REASON = 'no reason is given, as for status 407';

const PROXY_LOGIN =
  'the proxy wants another user name and password than it got: set HTTP_PROXY or HTTPS_PROXY to http://user:password@host:port';

/** Advice for permanent failures, by their code in Node and their message. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN) /, 'the host name cannot be resolved: check it'],
  [/^CERT_HAS_EXPIRED /, 'the certificate has expired: the server needs a new one'],
  [/^CERT_NOT_YET_VALID /, 'the certificate is not valid yet: check the clock of this machine'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID /, 'the certificate is that of another host: check the address'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET)_\w+|CERT_\w+) /,
    'the certificate is not trusted: check the address, or add the authority with NODE_EXTRA_CA_CERTS',
  ],
  [
    /^(?:ERR_SSL_|EPROTO ).*(?:WRONG_VERSION_NUMBER|wrong version number|packet length)/i,
    'the port may not use TLS: try http instead of https',
  ],
  [/^(?:ERR_SSL_|EPROTO )/, 'the server and this program have no version or cipher of TLS in common'],
  [/Proxy response \(407\)|status 407$/, PROXY_LOGIN],
  [
    /Proxy response \(4\d\d\)/,
    'the proxy does not lead to this address: add its host to NO_PROXY, or ask who runs the proxy',
  ],
];

function adviceFor(failure: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(failure))?.[1];
}
