import type { Output } from '@archiefkast/system';
import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

/**
 * A log on `output`: lines of JSON for machines, or lines to read where that is a terminal; what makes these is loaded
 * only there.
 */
export async function createLog(level: LogLevel, output: Output): Promise<Logger> {
  if (!output.isTTY) return pino({ level }, output);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', colorize: false });
  return pino({ level }, { write: (line) => output.write(pretty(line)) });
}
