import type { ParameterizedContext } from 'koa';
import { ClientLeft } from './shared-work.ts';

/** Aborted when the client of a request leaves before it has been answered. */
export function leaving({ res }: ParameterizedContext): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    if (!res.writableFinished) left.abort(new ClientLeft());
  };
  if (res.destroyed) leave();
  else res.once('close', leave);
  return left.signal;
}
