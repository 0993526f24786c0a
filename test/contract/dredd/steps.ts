/** A request that prepared a story, and whose answer was not as the contract says or not the one that the story needs. */
export interface BrokenStep {
  readonly operationId: string;
  readonly reason: string;
}

/**
 * The broken steps of each story. A story goes on after a broken step where it can. Where it then does not come to the
 * documented status, it was not reached because of that step.
 */
export class Steps {
  #current: BrokenStep[] = [];

  /** Begins a story; its broken steps, to which later ones are added. */
  begin(): readonly BrokenStep[] {
    this.#current = [];
    return this.#current;
  }

  broken(operationId: string, reason: string): void {
    this.#current.push({ operationId, reason });
  }
}
