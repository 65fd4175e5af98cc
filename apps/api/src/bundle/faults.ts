/** Faults that a message shows in full; of more it tells the number. */
const SHOWN = 50;

/** One thing that is wrong in a bundle. */
export interface Fault {
  file: string;
  /** Line in the file, from 1; absent when the fault is the file's. */
  line?: number;
  field?: string;
  reason: string;
}

/** A bundle cannot be published. The message has a line `file:line: field: reason` for every fault shown. */
export class BundleError extends Error {
  override name = 'BundleError';
  /** The first faults, in the order found. */
  readonly faults: readonly Fault[];
  /** How many faults there are in all. */
  readonly count: number;

  constructor(faults: readonly Fault[], count: number) {
    const more = count - faults.length;
    const lines = faults.map(describeFault);
    if (more > 0) lines.push(`… and ${more} more`);
    super(lines.join('\n'));
    this.faults = faults;
    this.count = count;
  }
}

function describeFault({ file, line, field, reason }: Fault): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return field ? `${place}: ${field}: ${reason}` : `${place}: ${reason}`;
}

/** Collects the faults of a bundle: keeps the first, counts all. */
export class FaultList {
  readonly #faults: Fault[] = [];
  #count = 0;

  add(fault: Fault): void {
    this.#count += 1;
    if (this.#faults.length < SHOWN) this.#faults.push(fault);
  }

  /** @throws BundleError when there is any fault */
  throwIfAny(): void {
    if (this.#count > 0) throw new BundleError(this.#faults, this.#count);
  }
}
