import { PAGE_SIZE } from '@archiefkast/types/kinds';

/** What the watch looks at in a page. */
export interface WatchedPage {
  url: string;
  next: string | null;
  count: number;
  total: number;
  edition: string | undefined;
  uuids: string[];
}

/** What is kept of a page: not its records. */
type PageFacts = Pick<WatchedPage, 'count' | 'total' | 'edition'>;

/** Notices that an archive changes while it is walked. */
export interface DriftWatch {
  /** Looks at the next page of the walk and says in sentences what has moved; none when nothing has. */
  see(page: WatchedPage): string[];
  /** Says what does not add up once the last page was seen. */
  finish(): string[];
  /** Records seen. */
  rows(): number;
  /** Different uuids seen. */
  uniqueUuids(): number;
}

/** Makes the watch over one walk of one kind. */
export function createDriftWatch(): DriftWatch {
  const uuids = new Set<string>();
  let rows = 0;
  let before: PageFacts | undefined;

  return {
    see(page) {
      const moved = changes(before, page);
      const again = page.uuids.filter((uuid) => {
        const seen = uuids.has(uuid);
        uuids.add(uuid);
        return seen;
      });
      if (again.length > 0) {
        const others = again.length > 1 ? ` and ${again.length - 1} others` : '';
        moved.push(`${page.url} repeats the record ${again[0]}${others}`);
      }
      if (page.next !== null && page.uuids.length < PAGE_SIZE) {
        moved.push(`${page.url} holds ${page.uuids.length} records, though it is not the last page`);
      }
      rows += page.uuids.length;
      before = { count: page.count, total: page.total, edition: page.edition };
      return moved;
    },
    finish() {
      if (before === undefined || before.count === rows) return [];
      return [`${rows} records came where ${before.count} were promised`];
    },
    rows: () => rows,
    uniqueUuids: () => uuids.size,
  };
}

function changes(before: PageFacts | undefined, page: WatchedPage): string[] {
  if (!before) return [];
  return (['count', 'total', 'edition'] as const)
    .filter((name) => before[name] !== page[name])
    .map((name) => `${name} changed from ${before[name]} to ${page[name]} at ${page.url}`);
}
