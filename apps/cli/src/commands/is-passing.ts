import { ConnectionError, LongWaitError, SilenceError, StatusError } from '@archiefkast/client';

/** Whether an error may pass by itself, so that the same command can go on later. */
export function isPassing(
  error: unknown,
): error is ConnectionError | SilenceError | LongWaitError | StatusError {
  if (error instanceof StatusError) return error.status >= 500 || [408, 425, 429].includes(error.status);
  return error instanceof ConnectionError || error instanceof SilenceError || error instanceof LongWaitError;
}
