import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** Logs every request at level `debug` when its answer has been sent, or its connection has broken. */
export function createAccessLog(log: Logger) {
  return (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
    if (!log.isLevelEnabled('debug')) return;
    const started = performance.now();
    response.once('close', () => {
      const { method, url } = request;
      const milliseconds = Math.round(performance.now() - started);
      const whole = response.writableFinished;
      log.debug({ method, url, status: response.statusCode, milliseconds, whole, requestId }, 'answered');
    });
  };
}
