import { levelsOf } from '../../../services/counts.ts';
import type { Tenant } from './tickets.ts';

/** A request that is queued, and then runs. */
export interface Turn {
  readonly tenant: Tenant;
  /** Called when the request may run. */
  readonly start: () => void;
}

/**
 * The requests that wait for their turn, of one tenant or of all. The parts of a tenant take turns; the requests of one
 * part run in order of arrival. A part without requests takes no memory.
 */
export class WaitingTurns {
  /** By name, in the order of their turns. None is empty. */
  readonly #parts = new Map<string, WaitingTurns>();
  readonly #own = new Set<Turn>();

  get count(): number {
    let count = this.#own.size;
    for (const part of this.#parts.values()) count += part.count;
    return count;
  }

  get #isEmpty(): boolean {
    return this.#own.size === 0 && this.#parts.size === 0;
  }

  add(turn: Turn, levels: readonly string[] = levelsOf(turn.tenant)): void {
    const [name, ...inner] = levels;
    if (name === undefined) {
      this.#own.add(turn);
      return;
    }
    const part = this.#parts.get(name) ?? new WaitingTurns();
    this.#parts.set(name, part);
    part.add(turn, inner);
  }

  /** Returns false when the request does not wait. */
  remove(turn: Turn, levels: readonly string[] = levelsOf(turn.tenant)): boolean {
    const [name, ...inner] = levels;
    if (name === undefined) return this.#own.delete(turn);
    const part = this.#parts.get(name);
    if (part === undefined || !part.remove(turn, inner)) return false;
    if (part.#isEmpty) this.#parts.delete(name);
    return true;
  }

  /** Removes the next request whose tenant is not full, at any level, and returns it. */
  next(isFullFor: (name: string) => boolean): Turn | undefined {
    for (const turn of this.#own) {
      this.#own.delete(turn);
      return turn;
    }
    for (const [name, part] of this.#parts) {
      const turn = isFullFor(name) ? undefined : part.next(isFullFor);
      if (turn === undefined) continue;
      // Its other requests wait until all other parts had their turn.
      this.#parts.delete(name);
      if (!part.#isEmpty) this.#parts.set(name, part);
      return turn;
    }
    return undefined;
  }
}
