import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';

/** For how long an answer is used (wall time). A request of the merchant can add an event in this time. */
const MAX_AGE_MS = 100;

/** When the next event of a merchant is due at the simulated acquirer, which is asked only if that can have changed. */
export class AcquirerSchedule {
  /** For work that can call the acquirer. A call can add an event. */
  readonly deps: Deps;
  readonly #merchantId: string;
  #known: { readonly due: Date | null; readonly askedAt_ms: number } | null = null;

  constructor(deps: Deps, merchantId: string) {
    const { acquirer } = deps;
    this.#merchantId = merchantId;
    this.deps = {
      ...deps,
      acquirer: {
        ...acquirer,
        perform: (command) => {
          this.forget();
          return acquirer.perform(command);
        },
      },
    };
  }

  /** Asks the acquirer the next time. */
  forget(): void {
    this.#known = null;
  }

  /** When the next event is due (merchant's time), or null. */
  async nextDue(): Promise<Date | null> {
    const now_ms = this.deps.wall().getTime();
    if (this.#known !== null && now_ms - this.#known.askedAt_ms < MAX_AGE_MS) return this.#known.due;
    const due = await callSandbox(this.deps, (sandbox) => sandbox.nextDue(this.#merchantId));
    this.#known = { due, askedAt_ms: now_ms };
    return due;
  }

  /** Runs the events that are due until an instant. Returns how many notifications were delivered. */
  async runDue(instant: Date): Promise<number> {
    this.forget();
    const { delivered } = await callSandbox(this.deps, (sandbox) =>
      sandbox.runDue(this.#merchantId, instant),
    );
    return delivered;
  }
}
