/** Counts by name, and their sum. Names whose count is 0 take no memory. */
export class Counts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Names whose count is not 0. */
  get names(): Iterable<string> {
    return this.#counts.keys();
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, change: number): void {
    this.#total += change;
    const count = this.of(name) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
