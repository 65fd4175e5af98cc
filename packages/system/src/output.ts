/** A stream that text is written to, and the bytes of files. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
  /** Width in characters, on a terminal. */
  columns?: number;
}
