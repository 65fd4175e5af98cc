import { reuseSentence } from '@archiefkast/formats/dataset';
import { LANGUAGES } from '@archiefkast/types/kinds';
import { reservationOf } from '../../http/headers.ts';
import { fixedAnswer, programRoute, type RouteDependencies } from '../../http/route.ts';
import type { Edition } from '../../storage/edition.ts';
import type { Protocol } from '../protocol.ts';

/** For crawlers: what they may fetch, where all of it is in files, and whether text mining is reserved. */
export const CRAWLERS: Protocol = {
  distributions: [],
  createRoutes: (tools) => ({
    others: [
      programRoute('/robots.txt', 'Robots', 'text/plain; charset=utf-8', ({ served }) =>
        fixedAnswer(robotsText(served?.edition.archive, tools)),
      ),
      // TDM Reservation Protocol (W3C Community Group report of 10 May 2024), section 5.
      programRoute('/.well-known/tdmrep.json', 'Text mining', 'application/json', ({ served }) => {
        const { archive } = served?.edition ?? {};
        const reservation = reservationOf(archive);
        if (reservation === undefined) return undefined;
        const location = new URL(tools.baseUrl).pathname;
        return fixedAnswer(JSON.stringify([{ location, 'tdm-reservation': reservation }]));
      }),
    ],
  }),
};

/** What is asked of robots: the address of all records in files, the rules, and what the archive says of reuse. */
function robotsText(
  archive: Edition['archive'],
  { baseUrl, hasPages }: Pick<RouteDependencies, 'baseUrl' | 'hasPages'>,
): string {
  const said = reuseSentence(archive?.reuse).en;
  const lines = [
    `# All records are in a few files: ${baseUrl}/en/api/dump/manifest.json lists them.`,
    `# What changed since an edition: ${baseUrl}/en/api/changes.jsonl?since=N. Take the whole once, then the changes.`,
    ...(said ? [`# ${said}`] : []),
    'User-agent: *',
    ...robotsRules(new URL(baseUrl).pathname),
    ...(hasPages ? [`Sitemap: ${baseUrl}/sitemap.xml`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * What robots may fetch, as prefixes without wildcards: no search, and of the data the files with all of it. The first that matches decides for some. Old editions, which a parameter names, are kept from robots by `X-Robots-Tag`.
 */
function robotsRules(path: string): string[] {
  const root = path.replace(/\/$/, '');
  const inLanguages = (rule: string, ...ends: readonly string[]) =>
    LANGUAGES.flatMap((language) => ends.map((end) => `${rule}: ${root}/${language}/${end}`));
  return [
    ...inLanguages('Allow', 'zoeken/hulp/', 'api/dump/', 'api/changes'),
    ...inLanguages('Disallow', 'zoeken/', 'api', 'reconcile'),
    ...['api', 'oai', 'mcp'].map((name) => `Disallow: ${root}/${name}`),
    'Allow: /',
  ];
}
