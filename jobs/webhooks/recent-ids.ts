/** A set of ids that forgets the one that was added first when it is full, so that its memory is bounded. */
export class RecentIds implements Iterable<string> {
  readonly #ids = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds an id, as the newest also where it was in the set. */
  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#limit) return;
    const [first] = this.#ids;
    this.#ids.delete(first!);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#ids.values();
  }
}
