import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';

/** For how long an answer is used (wall time). A request of the merchant can add an event in this time. */
const MAX_AGE_MS = 100;

/** When the next event of a merchant is due at the simulated acquirer, which is asked only if that can have changed. */
export class AcquirerSchedule {
  /** For work that can call the acquirer. A call can add an event. */
  readonly deps: Deps;
  readonly #merchantId: string;
  #known: { readonly due: Promise<Date | null>; readonly askedAt_ms: number } | null = null;
  #callsInFlight = 0;
  /** Whether a call has ended without an answer since the acquirer was last asked. It may still be carried out. */
  #hasUnknown = false;

  constructor(deps: Deps, merchantId: string) {
    const { acquirer } = deps;
    this.#merchantId = merchantId;
    this.deps = {
      ...deps,
      acquirer: {
        ...acquirer,
        perform: async (command) => {
          this.forget();
          this.#callsInFlight += 1;
          const ended = () => {
            this.#callsInFlight -= 1;
          };
          const outcome = await acquirer.perform(command).finally(ended);
          if (outcome.kind === 'unknown') this.#hasUnknown = true;
          // The answer arrives while the outcomes are written.
          if (this.#callsInFlight === 0 && !this.#hasUnknown) this.#ask();
          return outcome;
        },
      },
    };
  }

  /** Asks the acquirer the next time. */
  forget(): void {
    this.#known = null;
  }

  /** When the next event is due (merchant's time), or null. */
  nextDue(): Promise<Date | null> {
    const now_ms = this.deps.wall().getTime();
    if (this.#known !== null && now_ms - this.#known.askedAt_ms < MAX_AGE_MS) return this.#known.due;
    return this.#ask();
  }

  #ask(): Promise<Date | null> {
    this.#hasUnknown = false;
    const due = callSandbox(this.deps, (sandbox) => sandbox.nextDue(this.#merchantId));
    // It may never be read. Without this, a failure would then count as an unhandled rejection.
    due.catch(() => {});
    this.#known = { due, askedAt_ms: this.deps.wall().getTime() };
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
