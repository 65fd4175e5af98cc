/** The variables that name a proxy; Node prefers those in lower case. */
const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

/**
 * Sends all requests of this process through the proxies that the environment names, except to the hosts of `NO_PROXY`.
 *
 * @param load loads the module of Node
 * @returns a sentence about an invalid variable, or Node before 24.14; undefined if the proxies are used, or there are none
 */
export async function useProxies(
  environment: NodeJS.ProcessEnv,
  load: () => Promise<Partial<Pick<typeof import('node:http'), 'setGlobalProxyFromEnv'>>> = () =>
    import('node:http'),
): Promise<string | undefined> {
  const named = VARIABLES.filter((name) => environment[name]);
  if (named.length === 0) return undefined;
  const invalid = named.find((name) => !/^https?:$/.test(URL.parse(environment[name] ?? '')?.protocol ?? ''));
  if (invalid) return `${invalid}: expected the address of a proxy, such as http://proxy.example.org:3128`;
  const { setGlobalProxyFromEnv } = await load();
  if (!setGlobalProxyFromEnv) return `${named[0]}: proxies need Node 24.14 or newer`;
  setGlobalProxyFromEnv(environment);
  return undefined;
}
