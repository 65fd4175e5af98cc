/** What an examination found. */
export interface Finding {
  /** What was looked at, in a word. */
  check: string;
  /** `fault`: clients get wrong or no answers. `advice`: it works, and could work better. */
  level: 'fine' | 'advice' | 'fault';
  /** A sentence or two: what is so, and what to change. */
  says: string;
}

/** A finding that all is well. */
export function fine(check: string, says: string): Finding {
  return { check, level: 'fine', says };
}

/** A finding that could be better. */
export function advice(check: string, says: string): Finding {
  return { check, level: 'advice', says };
}

/** A finding that something is wrong. */
export function fault(check: string, says: string): Finding {
  return { check, level: 'fault', says };
}
