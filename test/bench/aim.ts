/** The target of a measured value: at least or at most a number. Plain data, so that it can be written to a file. */
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

/** Whether a measured value meets its aim. */
export function isReached({ bound, value }: Aim, measured: number): boolean {
  return bound === 'least' ? measured >= value : measured <= value;
}

/** The aim as shown in the report. */
export function showAim({ bound, value }: Aim): string {
  return `${bound === 'least' ? '≥' : '≤'} ${value.toLocaleString('en')}`;
}
