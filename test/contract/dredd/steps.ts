/** A request that prepares a story, and whose answer violates the contract or is not the one that the story needs. */
export interface BrokenStep {
  readonly operationId: string;
  readonly reason: string;
}

/**
 * The broken steps of the current story. A story continues after a broken step if it can. When it then does not reach
 * the documented status, the broken step is the cause.
 */
export class Steps {
  #current: BrokenStep[] = [];

  /** Begins a story. Returns its list of broken steps, which grows. */
  begin(): readonly BrokenStep[] {
    this.#current = [];
    return this.#current;
  }

  broken(operationId: string, reason: string): void {
    this.#current.push({ operationId, reason });
  }
}
