import type { ApiServer } from './api-server.ts';

/** The metrics of a server by name; those with labels are added up. */
export async function readFigures({ admin }: Pick<ApiServer, 'admin'>): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [, name = '', value] of (await (await admin('/metrics')).text()).matchAll(
    /^(\w+)(?:\{.*\})? (\S+)$/gm,
  ))
    figures[name] = (figures[name] ?? 0) + Number(value);
  return figures;
}
