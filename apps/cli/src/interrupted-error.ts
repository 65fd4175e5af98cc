/** Someone asked the command to stop. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';

  constructor() {
    super('interrupted');
  }
}
