/** Something a person who waits for the answer may want to know. */
export type Notice =
  /** A request failed and is made again after a wait. */
  | { type: 'retry'; url: string; reason: string; attempt: number; waitMs: number }
  /** The server asks to wait. */
  | { type: 'wait'; url: string; waitMs: number }
  /** A request was held back, for a back-off or because the server asked for it. */
  | { type: 'waited'; url: string; waitMs: number }
  /** A link said `http` where the base URL says `https`; it was followed with `https`. */
  | { type: 'repair'; url: string; next: string };

/** Is told of notices. */
export type OnNotice = (notice: Notice) => void;
