import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '@archiefkast/system';
import { z } from 'zod';
import { counted } from './command.ts';

/** Interval of the requests to nodes. */
const LOOK_MILLISECONDS = 500;

/** Timeout of a request to a node, which is then retried. */
const ANSWER_MILLISECONDS = 5_000;

const readySchema = z.object({ editions: z.array(z.number()) });

/** The nodes to wait for, and the timeout. */
export interface NodeWait {
  /** URLs of admin ports, or of their `/ready`. */
  urls: readonly string[];
  milliseconds: number;
}

/** Parses comma-separated URLs. @throws Error if one is invalid */
export function parseNodeUrls(text: string): string[] {
  return text.split(',').map((part) => {
    const url = URL.parse(part.trim());
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new Error(
        '--await: expected URLs of admin ports, such as http://10.0.0.1:9090,http://10.0.0.2:9090',
      );
    }
    if (url.pathname === '/') url.pathname = '/ready';
    return url.href;
  });
}

/**
 * Waits until every node is ready to serve an edition.
 *
 * @throws Error with the nodes that were not ready in time, and why; the reason of the signal
 */
export async function awaitNodes(
  edition: number,
  { urls, milliseconds }: NodeWait,
  stderr: Output,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + milliseconds;
  stderr.write(`Waiting for ${counted(urls.length, 'node')} to be ready for edition ${edition}.\n`);
  for (;;) {
    const reasons = await Promise.all(urls.map((url) => whyNotReady(url, edition)));
    const nodes = urls.flatMap((url, place) => (reasons[place] ? [`  ${url}: ${reasons[place]}\n`] : []));
    if (nodes.length === 0) return;
    if (performance.now() > end) {
      throw new Error(
        `edition ${edition} is held: not every node was ready for it within ${milliseconds / 1_000} s\n` +
          `${nodes.join('')}To serve it anyway, run archive-api switch ${edition}`,
      );
    }
    await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function whyNotReady(url: string, edition: number): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
    const { editions } = readySchema.parse(await response.json());
    return editions.includes(edition) ? undefined : `ready for editions: ${editions.join(', ') || 'none'}`;
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return 'the response is not that of /ready';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
