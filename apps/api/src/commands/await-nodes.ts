import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '@archiefkast/system';
import { z } from 'zod';

/** Nodes are asked this often whether they are ready. */
const LOOK_MILLISECONDS = 500;

/** A node that does not answer in this time is asked again. */
const ANSWER_MILLISECONDS = 5_000;

const readySchema = z.object({ editions: z.array(z.number()) });

/** Which nodes are waited for, and how long. */
export interface NodeWait {
  /** Addresses of admin ports, or of their `/ready`. */
  urls: readonly string[];
  milliseconds: number;
}

/** Not every node could serve the edition in time; it is kept, and not served. */
export class NodesNotReadyError extends Error {
  override name = 'NodesNotReadyError';
}

/** Reads a list of addresses, parted by commas; undefined where one is none. */
export function parseNodeUrls(text: string): string[] | undefined {
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  if (!urls.every((url) => url !== null && /^https?:$/.test(url.protocol))) return undefined;
  return urls.flatMap((url) => {
    if (!url) return [];
    if (url.pathname === '/') url.pathname = '/ready';
    return [url.href];
  });
}

/** Reads a duration such as `90s`, `10m` or `1h`, as milliseconds; undefined where it is none. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = { s: 1, m: 60, h: 3_600 }[unit];
  return number === undefined || seconds === undefined ? undefined : Number(number) * seconds * 1_000;
}

/**
 * Waits until every node says that it could serve an edition at once.
 *
 * @throws NodesNotReadyError naming the nodes that did not, and what they said; the signal's reason
 */
export async function awaitNodes(
  edition: number,
  { urls, milliseconds }: NodeWait,
  stderr: Output,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + milliseconds;
  let waiting = urls.map((url) => ({ url, why: 'it has not been asked' }));
  stderr.write(
    `Waiting until ${urls.length === 1 ? '1 node' : `${urls.length} nodes`} can serve edition ${edition}.\n`,
  );
  for (;;) {
    const looked = await Promise.all(
      waiting.map(async ({ url }) => ({ url, why: await whyNotReady(url, edition) })),
    );
    waiting = looked.flatMap(({ url, why }) => (why === undefined ? [] : [{ url, why }]));
    if (waiting.length === 0) return;
    if (performance.now() > end) {
      const nodes = waiting.map(({ url, why }) => `  ${url}: ${why}`).join('\n');
      throw new NodesNotReadyError(
        `edition ${edition} is kept, but not served: after ${milliseconds / 1_000} s not every node could serve it\n${nodes}\n` +
          `archive-api switch ${edition} serves it all the same`,
      );
    }
    await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function whyNotReady(url: string, edition: number): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
    const { editions } = readySchema.parse(await response.json());
    return editions.includes(edition) ? undefined : `it could serve ${editions.join(', ') || 'none'}`;
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return 'it does not answer as /ready does';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
