import { setTimeout as sleep } from 'node:timers/promises';

/** The result of a crawl. */
export interface CrawlReport {
  pages: number;
  links: number;
  anchors: number;
  bytes: number;
  /** One line per broken link, and per link to a missing anchor. */
  broken: string[];
}

/** Options of a crawl. */
export interface CrawlOptions {
  origin: string;
  /** Paths to begin at. */
  start: readonly string[];
  /** Whether the links of a path are followed; other paths are only requested once. */
  isFollowed: (path: string) => boolean;
  /** Maximum number of concurrent requests. */
  concurrency?: number;
  onPage?: (path: string, html: string) => Promise<void> | void;
}

const LINK = /<(?:a|link|img|script|form)\b[^>]*?\s(?:href|src|action)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

/** Follows every link of every page of a site, and checks that each leads to a response and an existing anchor. */
export async function crawl({
  origin,
  start,
  isFollowed,
  concurrency = 4,
  onPage,
}: CrawlOptions): Promise<CrawlReport> {
  const report: CrawlReport = { pages: 0, links: 0, anchors: 0, bytes: 0, broken: [] };
  const asked = new Set(start);
  const queue = [...start];
  const ids = new Map<string, Set<string>>();
  const targets: { from: string; path: string; id: string }[] = [];

  const visit = async (path: string) => {
    const response = await ask(origin + path);
    const type = response.headers.get('content-type') ?? '';
    const isPage = type.startsWith('text/html');
    if (!isPage || !isFollowed(path)) {
      await response.body?.cancel();
      if (response.status >= 400) report.broken.push(`${path}: ${response.status}`);
      return;
    }
    const html = await response.text();
    if (response.status >= 400) report.broken.push(`${path}: ${response.status}`);
    report.pages += 1;
    report.bytes += Buffer.byteLength(html);
    ids.set(path, new Set([...html.matchAll(ID)].map(([, id = '']) => unescapeHtml(id))));
    await onPage?.(path, html);
    for (const [, link = ''] of html.matchAll(LINK)) {
      const url = URL.parse(unescapeHtml(link), response.url);
      if (url?.origin !== origin) continue;
      report.links += 1;
      const to = url.pathname + url.search;
      if (url.hash.length > 1) targets.push({ from: path, path: to, id: url.hash.slice(1) });
      if (asked.has(to)) continue;
      asked.add(to);
      queue.push(to);
    }
  };
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await visit(path);
  };
  while (queue.length > 0) await Promise.all(Array.from({ length: concurrency }, work));

  for (const { from, path, id } of targets) {
    const known = ids.get(path);
    if (!known) continue;
    report.anchors += 1;
    if (!known.has(decodeURIComponent(id)) && !known.has(id))
      report.broken.push(`${from}: no #${id} in ${path}`);
  }
  return report;
}

/** Retries once, after `Retry-After`, if the server is busy. */
async function ask(address: string): Promise<Response> {
  const response = await fetch(address);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status !== 503 || seconds === 0) return response;
  await response.body?.cancel();
  await sleep(seconds * 1_000);
  return await fetch(address);
}

function unescapeHtml(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
