/** Whether a server can answer, and from what. */
export interface NodeState {
  /** The database answered the last look, and the served edition's search index is open. */
  ready: boolean;
  /** Why it is not ready, in a sentence; absent where it is. */
  reason?: string;
  /** Id of the edition served now; null while there is none. */
  served: number | null;
  /** Ids of the editions that could be served at once: their search index is there. Newest first. */
  editions: number[];
}

/** The state of several processes that answer together: ready when all are, and from what all have. */
export function combineStates(states: readonly NodeState[], expected: number): NodeState {
  const [first, ...others] = states;
  if (!first || states.length < expected) {
    return {
      ready: false,
      reason: `${states.length} of ${expected} workers run`,
      served: null,
      editions: [],
    };
  }
  const unready = states.find(({ ready }) => !ready);
  return {
    ready: !unready,
    ...(unready?.reason !== undefined && { reason: unready.reason }),
    served: others.every(({ served }) => served === first.served) ? first.served : null,
    editions: first.editions.filter((id) => others.every(({ editions }) => editions.includes(id))),
  };
}
