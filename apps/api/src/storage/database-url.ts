/** The engine and address of a database. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'mysql'; readonly url: string; readonly tls?: TlsCheck };

/**
 * What is verified of an encrypted connection to a MySQL server: nothing, its certificate, or also that it is for the host. Trusted
 * authorities are those of Node.
 */
export type TlsCheck = 'nothing' | 'certificate' | 'identity';

/** Why an address is invalid. */
export interface Refusal {
  expected: string;
}

const FORMATS = 'sqlite:<file> or mysql://user:password@host:port/database';

const MODES: Readonly<Record<string, TlsCheck | undefined>> = {
  DISABLED: undefined,
  REQUIRED: 'nothing',
  VERIFY_CA: 'certificate',
  VERIFY_IDENTITY: 'identity',
};

/** Parses the address of a database. Unknown options are rejected. */
export function parseDatabaseUrl(given: string): DatabaseAddress | Refusal {
  if (given.startsWith('sqlite:')) {
    const file = given.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file.includes('?')) return { expected: 'sqlite:<file> without options' };
    return file && file !== ':memory:' ? { engine: 'sqlite', file } : { expected: FORMATS };
  }
  const url = URL.parse(given);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || !url.hostname || url.pathname.length < 2) {
    return { expected: FORMATS };
  }
  if (!isEncoded(given)) return { expected: `${FORMATS}, with % written as %25` };
  if (url.hash) return { expected: `${FORMATS}, with # written as %23` };
  const [option, ...others] = [...url.searchParams];
  const [name = 'ssl-mode', value = 'DISABLED'] = option ?? [];
  const mode = value.toUpperCase();
  if (name !== 'ssl-mode' || others.length > 0) return { expected: 'only the option ssl-mode, at most once' };
  if (!Object.hasOwn(MODES, mode)) {
    return { expected: `one of ${Object.keys(MODES).join(', ')} for ssl-mode` };
  }
  const tls = MODES[mode];
  const address = given.replace(/^mariadb:/, 'mysql:').replace(/\?.*$/s, '');
  return { engine: 'mysql', url: address, ...(tls && { tls }) };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
