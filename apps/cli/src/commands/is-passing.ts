import {
  ConnectionError,
  LongWaitError,
  SilenceError,
  SlowAnswerError,
  StatusError,
} from '@archiefkast/client';

/** Whether an error may pass by itself, so that the same command can go on later. */
export function isPassing(
  error: unknown,
): error is ConnectionError | SilenceError | SlowAnswerError | LongWaitError | StatusError {
  if (error instanceof StatusError) return error.isPassing;
  return [ConnectionError, SilenceError, SlowAnswerError, LongWaitError].some(
    (kind) => error instanceof kind,
  );
}
