import { isIP } from 'node:net';

/** Which database it is, and where. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'mysql'; readonly url: string; readonly tls?: TlsOptions };

/** How the connection to a MySQL server is encrypted. */
export interface TlsOptions {
  /** Whether the server's certificate is checked, and whether it must be for the host that is asked. */
  readonly verify: 'nothing' | 'certificate' | 'identity';
  /** Files in PEM: the authorities that are trusted instead of the system's, our certificate and its key. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** What an address should have been. */
export interface Refusal {
  expected: string;
}

const FORMS = 'sqlite:<file> or mysql://user:password@host:port/database';

const MODES: Readonly<Record<string, TlsOptions['verify'] | undefined>> = {
  DISABLED: undefined,
  REQUIRED: 'nothing',
  VERIFY_CA: 'certificate',
  VERIFY_IDENTITY: 'identity',
};

const FILES = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;
const OPTIONS = ['ssl-mode', ...Object.keys(FILES)];

/** Takes the address of a database apart. An option that is not understood is refused, never ignored. */
export function parseDatabaseUrl(given: string): DatabaseAddress | Refusal {
  if (given.startsWith('sqlite:')) {
    const file = given.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file.includes('?')) return { expected: 'sqlite:<file> without options' };
    return file && file !== ':memory:' ? { engine: 'sqlite', file } : { expected: FORMS };
  }
  const url = URL.parse(given);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || !url.hostname || url.pathname.length < 2) {
    return { expected: FORMS };
  }
  if (!isEncoded(given)) return { expected: `${FORMS}, in which % is written %25` };
  if (url.hash) return { expected: `${FORMS}, in which # is written %23` };
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

/** The options of the address, under the names that MySQL's own programs give them. */
function readTls({ searchParams, hostname }: URL): TlsOptions | Refusal | undefined {
  const given = new Map([...searchParams].filter(([, value]) => value !== ''));
  const names = [...searchParams.keys()];
  if (names.length > given.size || names.some((name) => !OPTIONS.includes(name))) {
    return { expected: `of options ${OPTIONS.join(', ')} at most, each once and with a value` };
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
    return files.length > 0 ? { expected: 'no certificates where ssl-mode is DISABLED' } : undefined;
  }
  if (verify === 'nothing' && given.has('ssl-ca')) {
    return {
      expected: 'ssl-mode VERIFY_CA or VERIFY_IDENTITY where ssl-ca is given: REQUIRED checks nothing',
    };
  }
  if (given.has('ssl-cert') !== given.has('ssl-key')) return { expected: 'ssl-cert and ssl-key together' };
  if (verify === 'identity' && isIP(hostname.replace(/^\[|\]$/g, ''))) {
    return { expected: 'a host name where ssl-mode is VERIFY_IDENTITY, for certificates are of names' };
  }
  return { verify, ...Object.fromEntries(files) };
}
