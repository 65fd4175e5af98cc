import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

type SetProxies = (environment: Record<string, string | undefined>) => unknown;

/** The variables that name a proxy; Node prefers those in lower case. */
const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

/**
 * Sends all requests of this process through the proxies that the environment names, unless `NO_PROXY` has the host of their address.
 *
 * @param address of the archive
 * @param load loads the function of Node
 * @returns sentences about entries of NO_PROXY that are not understood
 * @throws Error if a variable is invalid, or Node older than 24.14
 */
export async function useProxies(
  environment: Environment,
  address: string,
  load: () => Promise<{ setGlobalProxyFromEnv?: SetProxies }> = () => import('node:http'),
): Promise<string[]> {
  const named = VARIABLES.filter((name) => environment[name]);
  const url = URL.parse(address);
  if (named.length === 0 || !url) return [];
  const invalid = named.find((name) => !/^https?:$/.test(URL.parse(environment[name] ?? '')?.protocol ?? ''));
  if (invalid)
    throw new Error(`${invalid}: expected the address of a proxy, such as http://proxy.example.org:3128`);
  const { isExcepted, unknown } = readNoProxy(environment['no_proxy'] ?? environment['NO_PROXY'] ?? '', url);
  if (!isExcepted) {
    const { setGlobalProxyFromEnv } = await load();
    if (!setGlobalProxyFromEnv) throw new Error(`${named[0]}: proxies need Node 24.14 or newer`);
    setGlobalProxyFromEnv({ ...environment, no_proxy: '', NO_PROXY: '' });
  }
  return unknown.map(
    (entry) =>
      `NO_PROXY: "${entry}" is not understood; expected a host, .suffix, address or network (10.0.0.0/8), also with :port, or *.`,
  );
}

/** Whether a list of hosts has that of an address, and its entries that are not understood. */
export function readNoProxy(list: string, url: URL): { isExcepted: boolean; unknown: string[] } {
  const host = nameOf(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const unknown: string[] = [];
  let isExcepted = false;
  for (const entry of list.split(/[\s,]+/).filter(Boolean)) {
    const [, given = '', onlyPort = port] = isIPv6(entry)
      ? [entry, entry]
      : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []);
    const name = nameOf(given);
    const addresses = addressesOf(name);
    const isHost = /^[\w-]+(?:\.[\w-]+)*$/.test(name);
    if (entry !== '*' && !addresses && !isHost) unknown.push(entry);
    const isSame = addresses
      ? isIP(host) > 0 && addresses.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
      : isHost && (host === name || host.endsWith(`.${name}`));
    isExcepted ||= entry === '*' || (isSame && onlyPort === port);
  }
  return { isExcepted, unknown };
}

/** A host without brackets, the dots around it and the asterisk of a suffix, in ASCII. */
function nameOf(host: string): string {
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^\*?\./, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return /\P{ASCII}/u.test(name) ? domainToASCII(name) : name;
}

/** The addresses of an address, a network (`10.0.0.0/8`) or a range (`10.0.0.1-10.0.0.9`); undefined if it is none of these. */
function addressesOf(text: string): BlockList | undefined {
  const [, first = '', sign, rest = ''] = /^([\da-f.:]+)(?:([/-])([\da-f.:]+))?$/.exec(text) ?? [];
  if (isIP(first) === 0) return undefined;
  const family = isIPv6(first) ? 'ipv6' : 'ipv4';
  const addresses = new BlockList();
  try {
    if (sign === '/') addresses.addSubnet(first, Number(rest), family);
    else addresses.addRange(first, sign === '-' ? rest : first, family);
    return addresses;
  } catch {
    return undefined;
  }
}
