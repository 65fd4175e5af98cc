import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum wait for new connections, in milliseconds: clients that never stop connecting do not stop the others. */
const MOST_MILLISECONDS = 500;

/**
 * Knows whether clients are connecting. Node accepts one connection in each turn of the event loop, so that one of a hundred at once waits
 * for all that is done in a hundred turns: for seconds, if these are pages of long texts. Work that takes long waits for the connections
 * instead, which takes milliseconds.
 */
export class NewConnections {
  /** Resolves in a turn without a new connection; undefined if there is none now. */
  accepted: Promise<void> | undefined;
  readonly #mostMilliseconds: number;
  #isNew = false;

  constructor(mostMilliseconds = MOST_MILLISECONDS) {
    this.#mostMilliseconds = mostMilliseconds;
  }

  /** Watches the connections of a server. */
  watch(server: Server): void {
    server.on('connection', () => {
      this.#isNew = true;
      this.accepted ??= this.#untilNone();
    });
  }

  async #untilNone(): Promise<void> {
    const end = performance.now() + this.#mostMilliseconds;
    // The rest of this turn.
    await nextTurn();
    while (this.#isNew && performance.now() < end) {
      this.#isNew = false;
      await nextTurn();
    }
    this.accepted = undefined;
  }
}
