import { isCalendarDate } from '../../domain/local-time.ts';
import { isObject } from '../wire-values.ts';

/** A malformed request. It is answered with 400 and the field's name, never with its value. */
export class BadRequest extends Error {}

const REFERENCE = /^[a-z0-9]{26,35}$/;

/** Reads the fields of a request's body. A field of another kind throws `BadRequest`. */
export class Fields {
  readonly #values: Record<string, unknown>;

  constructor(body: unknown) {
    if (!isObject(body)) throw new BadRequest('The body is not an object.');
    this.#values = body;
  }

  text(name: string, pattern = /^[^\0]{1,200}$/u): string {
    const value = this.#values[name];
    if (typeof value !== 'string' || !pattern.test(value)) throw refused(name);
    return value;
  }

  textOrNull(name: string): string | null {
    return (this.#values[name] ?? null) === null ? null : this.text(name);
  }

  reference(name = 'reference'): string {
    return this.text(name, REFERENCE);
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T {
    const word = words.find((candidate) => candidate === this.#values[name]);
    if (word === undefined) throw refused(name);
    return word;
  }

  /** Integer centavos, at least 1. */
  amount(name = 'amount_centavos'): number {
    const value = this.integer(name);
    if (value < 1) throw refused(name);
    return value;
  }

  amountOrNull(name: string): number | null {
    return (this.#values[name] ?? null) === null ? null : this.amount(name);
  }

  /** Integer centavos, at least 0. */
  amountOrZero(name = 'amount_centavos'): number {
    return this.#values[name] === 0 ? 0 : this.amount(name);
  }

  integer(name: string): number {
    const value = this.#values[name];
    if (!Number.isSafeInteger(value)) throw refused(name);
    return value as number;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  flag(name: string): boolean {
    const value = this.#values[name];
    if (typeof value !== 'boolean') throw refused(name);
    return value;
  }

  instant(name: string): Date {
    const value = new Date(this.text(name));
    if (Number.isNaN(value.getTime())) throw refused(name);
    return value;
  }

  /** A calendar day, `YYYY-MM-DD`. */
  day(name: string): string {
    const value = this.text(name);
    if (!isCalendarDate(value)) throw refused(name);
    return value;
  }

  object(name: string): Fields {
    if (!isObject(this.#values[name])) throw refused(name);
    return new Fields(this.#values[name]);
  }

  list(name: string): Fields[] {
    const value = this.#values[name];
    if (!Array.isArray(value) || value.length < 1 || value.length > 1_000) throw refused(name);
    return value.map((item) => new Fields(item));
  }
}

function refused(name: string): BadRequest {
  return new BadRequest(`The field ${name} is missing or malformed.`);
}
