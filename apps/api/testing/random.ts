/** A seeded source of random values: the same seed gives the same values on every machine. */
export interface Random {
  /** From 0 up to, not including, 1. */
  number(): number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** One of the values, each as likely. */
  pick<Value>(values: readonly Value[]): Value;
  /** A version 4 UUID. */
  uuid(): string;
}

/** Mulberry32 (T. Ettinger, public domain): 32 bits of state, enough for test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  return {
    number: () => next() / 2 ** 32,
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError('pick: there are no values');
      return value;
    },
    uuid() {
      const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
