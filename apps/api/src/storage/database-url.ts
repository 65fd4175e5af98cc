/** The engine and address of a database. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'mysql'; readonly url: string; readonly tls?: TlsOptions };

/** How the connection to a MySQL server is encrypted. */
export interface TlsOptions {
  /** Whether to verify the server's certificate, and that it matches the host. */
  readonly verify: 'nothing' | 'certificate' | 'identity';
  /** PEM files: trusted authorities instead of the system's, the client certificate and its key. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Why an address is invalid. */
export interface Refusal {
  expected: string;
}

const FORMATS = 'sqlite:<file> or mysql://user:password@host:port/database';

const MODES: Readonly<Record<string, TlsOptions['verify'] | undefined>> = {
  DISABLED: undefined,
  REQUIRED: 'nothing',
  VERIFY_CA: 'certificate',
  VERIFY_IDENTITY: 'identity',
};

const FILES = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;
const OPTIONS = ['ssl-mode', ...Object.keys(FILES)];

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
  const tls = readTls(url);
  if (tls && 'expected' in tls) return tls;
  const address = given.replace(/^mariadb:/, 'mysql:').replace(/\?.*$/s, '');
  return { engine: 'mysql', url: address, ...(tls && { tls: Object.freeze(tls) }) };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses the TLS options of the address, which have the names of MySQL's own programs. */
function readTls({ searchParams }: URL): TlsOptions | Refusal | undefined {
  const given = new Map([...searchParams].filter(([, value]) => value !== ''));
  const names = [...searchParams.keys()];
  if (names.length > given.size || names.some((name) => !OPTIONS.includes(name))) {
    return { expected: `only the options ${OPTIONS.join(', ')}, each at most once and with a value` };
  }
  if (given.size === 0) return undefined;
  const mode = (given.get('ssl-mode') ?? 'VERIFY_IDENTITY').toUpperCase();
  if (!Object.hasOwn(MODES, mode)) {
    return { expected: `one of ${Object.keys(MODES).join(', ')} for ssl-mode` };
  }
  const files = Object.entries(FILES).flatMap(([name, key]) => {
    const file = given.get(name);
    return file === undefined ? [] : [[key, file] as const];
  });
  const verify = MODES[mode];
  if (verify === undefined) {
    return files.length > 0 ? { expected: 'no certificates with ssl-mode DISABLED' } : undefined;
  }
  if (verify === 'nothing' && given.has('ssl-ca')) {
    return {
      expected: 'ssl-mode VERIFY_CA or VERIFY_IDENTITY with ssl-ca: REQUIRED verifies nothing',
    };
  }
  if (given.has('ssl-cert') !== given.has('ssl-key')) return { expected: 'ssl-cert and ssl-key together' };
  return { verify, ...Object.fromEntries(files) };
}
