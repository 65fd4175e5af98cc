/** Bytes of a UUID. */
const UUID_BYTES = 16;

/**
 * Numbers UUIDs in the order in which they are added: 0, 1, 2 … An open-addressing hash table over their bytes,
 * which takes 32 bytes or so for each UUID, where a Map of strings takes 130.
 */
export class UuidTable {
  #bytes = Buffer.alloc(1024 * UUID_BYTES);
  /** Number of the UUID in each slot, plus 1; 0 where the slot is free. At most half are taken. */
  #slots = new Uint32Array(2048);
  #size = 0;
  readonly #sought = Buffer.alloc(UUID_BYTES);

  get size(): number {
    return this.#size;
  }

  /** Adds a UUID, in lower case with hyphens; false when it is there already. */
  add(uuid: string): boolean {
    const { size } = this;
    return this.numberOf(uuid) === size;
  }

  /** The number of a UUID, which is added when it is not there yet. */
  numberOf(uuid: string): number {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow();
    const offset = this.#size * UUID_BYTES;
    writeUuid(uuid, this.#bytes, offset);
    const slot = this.#slotOf(this.#bytes, offset);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return this.#size - 1;
  }

  /** The number of a UUID; undefined when it was never added. */
  find(uuid: string): number | undefined {
    writeUuid(uuid, this.#sought, 0);
    const slot = this.#slotOf(this.#sought, 0);
    const number = this.#slots[slot] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** The UUID with a number. */
  at(number: number): string {
    const hex = this.#bytes.toString('hex', number * UUID_BYTES, (number + 1) * UUID_BYTES);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** The slot where the UUID at `offset` of `bytes` is, or would go. */
  #slotOf(bytes: Buffer, offset: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(bytes, offset) & mask;
    for (let number = this.#slots[slot] ?? 0; number !== 0; number = this.#slots[slot] ?? 0) {
      const start = (number - 1) * UUID_BYTES;
      if (this.#bytes.compare(bytes, offset, offset + UUID_BYTES, start, start + UUID_BYTES) === 0) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number += 1) {
      this.#slots[this.#slotOf(this.#bytes, number * UUID_BYTES)] = number + 1;
    }
  }
}

function writeUuid(uuid: string, bytes: Buffer, offset: number): void {
  bytes.write(uuid.replaceAll('-', ''), offset, 'hex');
}

/** FNV-1a over the four words, mixed: hand-written UUIDs differ in their last digits only. */
function hash(bytes: Buffer, offset: number): number {
  let mixed = 0x811c9dc5;
  for (let word = 0; word < UUID_BYTES; word += 4) {
    mixed = Math.imul(mixed ^ bytes.readUInt32BE(offset + word), 0x01000193);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
