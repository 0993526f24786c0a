/** Between a name and the name of a part of it. */
const OF = ' / ';

/**
 * The name of a part of a whole. What is counted for the part is also counted for the whole. If a whole has parts,
 * count only for the parts.
 */
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

/** The whole of the outermost names. */
const ALL = '';
const NO_PARTS: ReadonlySet<string> = new Set();

/** Counts by name, and their sum. Names whose count is 0 take no memory. */
export class Counts {
  readonly #counts = new Map<string, number>();
  /** By whole. None is empty. */
  readonly #parts = new Map<string, Set<string>>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** The parts of a name whose count is not 0, without the parts of those; or the outermost names. */
  partsOf(name = ALL): ReadonlySet<string> {
    return this.#parts.get(name) ?? NO_PARTS;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, change: number): void {
    this.#total += change;
    let whole = ALL;
    for (const level of levelsOf(name)) {
      const count = this.of(level) + change;
      if (count === 0) this.#remove(level, whole);
      else this.#set(level, whole, count);
      whole = level;
    }
  }

  #set(name: string, whole: string, count: number): void {
    if (!this.#counts.has(name)) {
      const parts = this.#parts.get(whole);
      if (parts === undefined) this.#parts.set(whole, new Set([name]));
      else parts.add(name);
    }
    this.#counts.set(name, count);
  }

  #remove(name: string, whole: string): void {
    this.#counts.delete(name);
    const parts = this.#parts.get(whole);
    parts?.delete(name);
    if (parts?.size === 0) this.#parts.delete(whole);
  }
}
