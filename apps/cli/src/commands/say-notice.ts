import type { OnNotice } from '@archiefkast/client';
import type { CommandContext } from './command-context.ts';
import { describeEvent } from './describe-event.ts';

/** Tells someone who waits at a terminal of retries, waits and repaired links; of each kind of repair once. */
export function sayNotice({ stderr }: CommandContext): OnNotice {
  const said = new Set<string>();
  return (notice) => {
    const sentence = describeEvent(notice);
    if (!sentence || (notice.type === 'repair' && said.has(sentence))) return;
    said.add(sentence);
    stderr.write(`${sentence}\n`);
  };
}
