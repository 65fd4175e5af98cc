import { randomUUID } from 'node:crypto';
import { fetchRaw, type RawAnswer } from './fetch-raw.ts';
import { type Finding, fault, fine } from './finding.ts';

/** Whether caches give the edition that is served, or hold an older one for longer than they were told. */
export async function checkEditionAge(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const held = await fetchRaw(url);
  // Unknown parameters are ignored, and no cache has seen this one.
  const fresh = await fetchRaw(`${url}?doctor=${randomUUID()}`);
  const [before, now] = [editionOf(held), editionOf(fresh)];
  if (before === undefined || now === undefined) {
    return [
      fault(
        'edition',
        'The header Archive-Edition is gone: clients cannot tell editions apart. Let the proxy pass it.',
      ),
    ];
  }
  if (before === now) return [fine('edition', `Edition ${now} is served, and nothing older is held.`)];
  const [age, most] = [Number(held.headers['age'] ?? 0), longestAge(held)];
  if (age <= most) {
    return [
      fine(
        'edition',
        `A cache still holds edition ${before} for ${most - age} s at most; edition ${now} is served.`,
      ),
    ];
  }
  return [
    fault(
      'edition',
      `A cache holds edition ${before} for ${age} s already, while edition ${now} is served and ${most} s is what it was told. Empty it, and let it heed Cache-Control.`,
    ),
  ];
}

function editionOf({ headers }: RawAnswer): number | undefined {
  const edition = headers['archive-edition'];
  return edition === undefined ? undefined : Number(edition);
}

/** Seconds that `Cache-Control` allows: its age, and what it may be served beyond that while it is fetched anew. */
function longestAge({ headers }: RawAnswer): number {
  const seconds = (directive: string) =>
    Number(new RegExp(`${directive}=(\\d+)`).exec(headers['cache-control'] ?? '')?.[1] ?? 0);
  return seconds('max-age') + seconds('stale-while-revalidate');
}
