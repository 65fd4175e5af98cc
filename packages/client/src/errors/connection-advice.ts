/** The innermost cause of an error: its code, where it has one, and its message. */
export function innermost(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return innermost(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return { code: 'code' in error ? String(error.code) : '', message: error.message.trim() };
}

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET)_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** What to do about a failure that another try does not mend, by its code in Node; undefined for others. */
export function adviceFor(code: string): string | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'no address was found for this host: check its name';
  if (UNTRUSTED.test(code)) {
    return 'its certificate cannot be trusted: check the address, or name the authority in NODE_EXTRA_CA_CERTS';
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return 'this port may not speak TLS: try http in place of https';
  return undefined;
}
