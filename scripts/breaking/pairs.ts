import type { Direction } from './bounds.ts';
import { type Document, isNode } from './document.ts';

/** Remembers compared pairs of schemas, so that each is reported once and recursive schemas end. */
export class Pairs {
  readonly #before: Document;
  readonly #after: Document;
  readonly #done = new Set<string>();
  readonly #underWay = new Set<string>();
  readonly #numbers = new Map<unknown, number>();

  constructor(before: Document, after: Document) {
    this.#before = before;
    this.#after = after;
  }

  /**
   * Calls `compare` with the place to report. If both sides refer to the same schema, with the same keywords beside the
   * reference, the place is the name of the schema, and the pair is compared only once. Otherwise the place is `where`.
   * A pair that is being compared is skipped, so that recursion ends.
   */
  visit(
    was: unknown,
    is: unknown,
    direction: Direction,
    where: string,
    compare: (where: string) => void,
  ): void {
    const name = this.#sharedName(was, is);
    const pair = `${direction} ${this.#idOf(this.#before, was)} ${this.#idOf(this.#after, is)}`;
    const visit = name === null ? `${pair} at ${where}` : pair;
    if (this.#underWay.has(pair) || this.#done.has(visit)) return;
    this.#done.add(visit);
    this.#underWay.add(pair);
    compare(name ?? where);
    this.#underWay.delete(pair);
  }

  /** The name of a shared schema, else `where`. */
  placeOf(was: unknown, is: unknown, where: string): string {
    return this.#sharedName(was, is) ?? where;
  }

  #sharedName(was: unknown, is: unknown): string | null {
    const isShared = isReference(was) && this.#idOf(this.#before, was) === this.#idOf(this.#after, is);
    return isShared ? was.$ref.split('/').at(-1)! : null;
  }

  /** The reference with the keywords beside it; a number for a schema without a reference. */
  #idOf(document: Document, side: unknown): string {
    if (isReference(side)) {
      const { $ref, ...beside } = side;
      return $ref + document.written(beside);
    }
    const number = this.#numbers.get(side) ?? this.#numbers.size;
    this.#numbers.set(side, number);
    return String(number);
  }
}

function isReference(side: unknown): side is Readonly<Record<string, unknown>> & { $ref: string } {
  return isNode(side) && typeof side.$ref === 'string';
}
