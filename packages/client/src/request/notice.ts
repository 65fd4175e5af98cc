/** A retry, wait or repaired link. */
export type Notice =
  /** A request failed and is retried after a wait. */
  | { type: 'retry'; url: string; reason: string; attempt: number; waitMs: number }
  /** The server requests a wait. */
  | { type: 'wait'; url: string; waitMs: number }
  /** A request was delayed, by a back-off or at the server's request. */
  | { type: 'waited'; url: string; waitMs: number }
  /** A link has `http` although the base URL has `https`; it is followed with `https`. */
  | { type: 'repair'; url: string; next: string };

/** Called for each notice. */
export type OnNotice = (notice: Notice) => void;
