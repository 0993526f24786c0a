import { isBareReference } from './document.ts';

const WORDS: Readonly<Record<string, string>> = {
  headers: 'header',
  parameters: 'parameter',
  responses: 'response',
  requestBodies: 'body',
};

/** Parts of the contract that several places refer to. A change in one of them is reported once. */
export class SharedParts {
  readonly #places = new Map<string, Set<string>>();

  /** The place to report: `header X-Request-Id` when both refer to that one, else `place`. */
  placeOf(was: unknown, is: unknown, place: string): string {
    const name = nameOf(was);
    return name === null || name !== nameOf(is) ? place : this.share(name, place);
  }

  /** Records that a place uses a shared part. Returns the part's name. */
  share(name: string, place: string): string {
    const places = this.#places.get(name) ?? new Set();
    this.#places.set(name, places.add(place));
    return name;
  }

  /** In how many places a shared part is used; `where` may be inside it. Empty for a part that is not shared. */
  extentOf(where: string): string {
    for (const [name, { size }] of this.#places) {
      const isPart = where === name || [' ', '.', '['].some((next) => where.startsWith(name + next));
      if (isPart && size > 1) return ` (in ${size} places)`;
    }
    return '';
  }
}

/** Whether two references name the same shared part. */
export function isSamePart(was: unknown, is: unknown): boolean {
  const name = nameOf(was);
  return name !== null && name === nameOf(is);
}

function nameOf(written: unknown): string | null {
  if (!isBareReference(written)) return null;
  const [, components, kind, name] = written.$ref.split('/');
  const word = components === 'components' ? WORDS[kind!] : undefined;
  return word === undefined ? null : `${word} ${name}`;
}
