/** Between a name and the name of a part of it. */
const OF = ' / ';

/** The name of a part: what is counted for it is counted for the whole, too. */
export function partOf(whole: string, part: string): string {
  return `${whole}${OF}${part}`;
}

/** The wholes that a name is part of, the outermost first, and the name itself. */
export function levelsOf(name: string): string[] {
  const levels: string[] = [];
  for (let end = name.indexOf(OF); end !== -1; end = name.indexOf(OF, end + 1))
    levels.push(name.slice(0, end));
  levels.push(name);
  return levels;
}

/** Counts by name, and their sum. Names whose count is 0 take no memory. */
export class Counts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Names whose count is not 0, with those of parts. */
  get names(): Iterable<string> {
    return this.#counts.keys();
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, change: number): void {
    this.#total += change;
    for (const level of levelsOf(name)) {
      const count = this.of(level) + change;
      if (count === 0) this.#counts.delete(level);
      else this.#counts.set(level, count);
    }
  }
}
