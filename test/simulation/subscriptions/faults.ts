import type { Acquirer, PaymentCommand } from '../../../gateway/acquirer.ts';
import { DatabaseUnavailable } from '../../../services/refusal.ts';
import type { TestService } from '../../support/service.ts';
import type { Reply, Send } from './model/state.ts';

/**
 * What goes wrong with the charges of one action. `lost_answer`: the acquirer decides, and its answer does not arrive.
 * `killed_before`, `killed_after`: the process dies before it sends its charges, or before it writes their outcomes.
 */
export type Fault = 'none' | 'lost_answer' | 'killed_before' | 'killed_after';

export function isKill(fault: Fault): boolean {
  return fault === 'killed_before' || fault === 'killed_after';
}

/** The status of a request whose process dies. */
export const DIED = 503;

/** The process can no longer write anything, as without its database. */
const died = (when: string) => new DatabaseUnavailable(new Error(`The process dies ${when}.`));

/** One in so many answers to charges by a mandate, to withdrawals and to cancellations of mandates is lost. */
const LOST_ONE_IN = 3;

/** The acquirer of a service, with faults. */
export class FaultyAcquirer {
  fault: Fault = 'none';
  /** The references of the charges whose outcome did not arrive. */
  readonly unanswered: string[] = [];
  /** The references of those whose answer was lost. The service asks for them at once. */
  readonly lostAnswers: string[] = [];
  #counted = 0;

  constructor(service: TestService) {
    const sometimesLost = (real: Acquirer) => async (command: PaymentCommand) => {
      this.#counted += 1;
      const outcome = await real.perform(command);
      if (this.#counted % LOST_ONE_IN > 0) return outcome;
      this.lostAnswers.push(command.reference);
      return { kind: 'unknown', cause: 'time_out' } as const;
    };
    service.intercept((real) => ({
      cancel: sometimesLost(real),
      cancel_mandate: sometimesLost(real),
      mandate_charge: sometimesLost(real),
      authorize: async (command) => {
        if (this.fault === 'none') return real.perform(command);
        this.unanswered.push(command.reference);
        if (this.fault === 'killed_before') throw died('before the charge is sent');
        await real.perform(command);
        if (this.fault === 'lost_answer') return { kind: 'unknown', cause: 'time_out' };
        throw died('before it writes the outcome');
      },
    }));
  }

  /** For another history, whose answers are then lost in the same way whenever it runs. */
  restart(): void {
    this.unanswered.length = 0;
    this.lostAnswers.length = 0;
    this.#counted = 0;
  }
}

/** What the service learns from a charge that is sent with a fault. */
export function sendWith(fault: Fault): Send {
  return (card): Reply => {
    if (fault === 'killed_before') return { isKnown: false, decision: 'not_sent' };
    const decision = card.scripted.shift() ?? card.usual;
    const isKnown = fault === 'none' || (card.isNotified && decision === 'approve');
    return { isKnown, decision };
  };
}
