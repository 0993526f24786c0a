/** A map that forgets the key that was set first when it is full, so that its memory is bounded. */
export class RecentMap<Value> extends Map<string, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** Sets a value, as the newest also where its key was in the map. */
  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      const [first] = this.keys();
      this.delete(first!);
    }
    return this;
  }
}
