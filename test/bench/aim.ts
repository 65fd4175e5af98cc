/** What a measured value is to be: at least or at most so much. Plain data, so that it can be written to a file. */
export interface Aim {
  bound: 'least' | 'most';
  value: number;
}

/** The aim of at least a value. */
export function atLeast(value: number): Aim {
  return { bound: 'least', value };
}

/** The aim of at most a value. */
export function atMost(value: number): Aim {
  return { bound: 'most', value };
}

/** Whether a measured value is what it is to be. */
export function isReached({ bound, value }: Aim, measured: number): boolean {
  return bound === 'least' ? measured >= value : measured <= value;
}

/** The aim as the report shows it. */
export function showAim({ bound, value }: Aim): string {
  return `${bound === 'least' ? '≥' : '≤'} ${value.toLocaleString('en')}`;
}
