import type {
  Acquirer,
  AcquirerCommand,
  CommandOf,
  Inquiry,
  InquiryOutcome,
  OutcomeOf,
  PaymentCommand,
} from '../../../gateway/acquirer.ts';
import { RECOVERY_POINTS, type RecoveryPoint } from '../../../services/recovery-points.ts';
import { DatabaseUnavailable } from '../../../services/refusal.ts';
import type { TestService } from '../../support/service.ts';
import { dayOf, plusDays, stepAt } from './calendar.ts';
import { SEND_DAYS } from './model/methods.ts';
import type { ModelSubscription, Reply, Send } from './model/state.ts';

/**
 * What goes wrong with the charges of one action. `lost_answer`: the acquirer decides, and its answer does not arrive.
 * `killed_before`, `killed_after`: the process dies before it sends its charges, or before it writes their outcomes.
 * `overtaken_before`, `overtaken_after`: the process is slow to send the first charge of each customer, or to write its
 * outcome. Meanwhile another process asks the acquirer for it, and closes the reference of one that was not sent.
 */
export type Fault =
  | 'none'
  | 'lost_answer'
  | 'killed_before'
  | 'killed_after'
  | 'overtaken_before'
  | 'overtaken_after';

export function isKill(fault: Fault): boolean {
  return fault === 'killed_before' || fault === 'killed_after';
}

function isOvertaken(fault: Fault): boolean {
  return fault === 'overtaken_before' || fault === 'overtaken_after';
}

/**
 * When the process dies once during an action, apart from the faults of its charges. `unsent`: before it sends a
 * command; `answered`: after the acquirer has carried out a command, or has answered an inquiry (`inquired`);
 * `intent_lost`: at the commit of what it wants to send, which is lost; `answer_lost`, `answer_written`: at the commit
 * of its answer, which is lost or not;
 * `answer_sent`: after it.
 */
export type Death =
  | 'none'
  | 'unsent'
  | 'answered'
  | 'inquired'
  | 'intent_lost'
  | 'answer_lost'
  | 'answer_written'
  | 'answer_sent';

export const DEATHS: readonly Death[] = [
  ...(['none', 'none', 'none', 'none', 'unsent', 'answered', 'answered'] as const),
  ...(['inquired', 'intent_lost', 'answer_lost', 'answer_written', 'answer_sent'] as const),
];

/** The status of a request whose process dies. */
export const DIED = 503;

/** A process that died writes nothing any more, as if it had lost its database. */
const died = (when: string) => new DatabaseUnavailable(new Error(`The process dies ${when}.`));

/** One in three answers to charges by a mandate, to withdrawals and to cancellations of mandates is lost. */
const LOST_ONE_IN = 3;

const NO_DEATH = { at: 'none', sparesCharges: false } as const;

/** The acquirer of a service, with faults. */
export class FaultyAcquirer {
  fault: Fault = 'none';
  /** What another process does about a charge meanwhile, if it overtakes the one that sends it. */
  overtake: (reference: string) => Promise<void> = async () => {};
  /** What another process does once, while the next command is at the acquirer. */
  meanwhile: (() => Promise<void>) | null = null;
  /** When the process dies in the present action, if it can and has not. */
  wanted: Death = 'none';
  /** Whether the process dies in the present action, or has. */
  mayDie = false;
  /** Of the next command, or of the next one that is no charge. */
  death: { readonly at: Death; readonly sparesCharges: boolean } = NO_DEATH;
  /** Whether it has, since the last action that could. */
  hasDied = false;
  /** The command that it did not send in the present action, because it died. */
  unsent: Pick<AcquirerCommand, 'kind' | 'reference'> | null = null;
  /** How often the process has died, by the command or the moment. */
  readonly deaths: Record<string, number> = {};
  /** The references of the charges whose outcome did not arrive. */
  readonly unanswered: string[] = [];
  /** The references of those whose answer was lost. The service asks for them at once. */
  readonly lostAnswers: string[] = [];
  /** How often two workers ran at the same time, one of them while the other waited for the acquirer. */
  overlaps = 0;
  /** The references of the commands of the present action that were carried out. */
  readonly #performed: string[] = [];
  readonly #overtaken = new Set<string>();
  #counted = 0;

  /** Replaces the acquirer of a service. */
  use(service: TestService): void {
    service.intercept((real) => {
      const charged = (command: ChargeCommand) => this.#charge(real, command);
      const performed = <C extends AcquirerCommand>(command: C) => this.#perform(real, command);
      const sometimesLost = (command: PaymentCommand) => this.#sometimesLose(real, command);
      return {
        authorize: charged,
        pix_charge: charged,
        bank_slip_charge: charged,
        cancel: sometimesLost,
        cancel_mandate: sometimesLost,
        mandate_charge: sometimesLost,
        mandate: performed,
        refund: performed,
        wallet_token: performed,
        wallet_credential: performed,
        inquire: (inquiry) => this.#inquire(real, inquiry),
      };
    });
  }

  /** Begins another history. The same answers of a history are lost each time it runs. */
  restart(): void {
    this.unanswered.length = 0;
    this.lostAnswers.length = 0;
    this.meanwhile = null;
    this.beginAction('none');
    this.#counted = 0;
  }

  /** The process is to die once in the next action, at this moment. */
  beginAction(death: Death): void {
    this.wanted = death;
    this.mayDie = death !== 'none';
    this.unsent = null;
    this.#performed.length = 0;
  }

  /** The charges of the next action have this fault. */
  begin(fault: Fault): void {
    this.fault = fault;
    this.#overtaken.clear();
  }

  /** Runs an action in which the process dies at the given moment, if it reaches that moment. */
  async whileDying<Result>(
    death: { readonly at: Death; readonly sparesCharges: boolean },
    action: () => Promise<Result>,
  ): Promise<Result> {
    this.death = death;
    this.hasDied = false;
    try {
      return await action();
    } finally {
      this.death = NO_DEATH;
    }
  }

  /** Counts a death. */
  count(where: string): void {
    this.deaths[where] = (this.deaths[where] ?? 0) + 1;
  }

  /** The process dies now, and not again in this action. */
  dies(): Error {
    const { at } = this.death;
    if (at !== 'answered' && at !== 'unsent') this.count(at);
    this.death = NO_DEATH;
    this.hasDied = true;
    // The test cannot know which answers were written before, so all of them count as lost.
    this.lostAnswers.push(...this.#performed.splice(0));
    return died(at);
  }

  /** Called at each recovery point. The process dies if it is to die after its answer is sent. */
  reached(point: RecoveryPoint): void {
    if (this.death.at === 'answer_sent' && point === RECOVERY_POINTS.outcomeCommitted) throw this.dies();
  }

  async #charge<C extends ChargeCommand>(real: Acquirer, command: C): Promise<OutcomeOf<C>> {
    const { fault } = this;
    const { reference } = command;
    if (fault === 'none') return this.#perform(real, command, true);
    if (isOvertaken(fault)) return this.#chargeSlowly(real, command);
    this.unanswered.push(reference);
    if (isKill(fault)) this.count(command.kind);
    if (fault === 'killed_before') throw died('before the charge is sent');
    await real.perform(command);
    if (fault === 'lost_answer') return NO_ANSWER as OutcomeOf<C>;
    throw died('before it writes the outcome');
  }

  async #chargeSlowly<C extends ChargeCommand>(real: Acquirer, command: C): Promise<OutcomeOf<C>> {
    const { reference, customer } = command;
    const isFirst = !this.#overtaken.has(customer.customerId);
    this.#overtaken.add(customer.customerId);
    if (isFirst && this.fault === 'overtaken_before') await this.overtake(reference);
    const outcome = await real.perform(command);
    if (isFirst && this.fault === 'overtaken_after') await this.overtake(reference);
    return outcome;
  }

  async #sometimesLose<C extends PaymentCommand>(real: Acquirer, command: C): Promise<OutcomeOf<C>> {
    this.#counted += 1;
    const isLost = this.#counted % LOST_ONE_IN === 0;
    const outcome = await this.#perform(real, command);
    if (!isLost) return outcome;
    this.lostAnswers.push(command.reference);
    return NO_ANSWER as OutcomeOf<C>;
  }

  async #inquire(real: Acquirer, inquiry: Inquiry): Promise<InquiryOutcome> {
    const outcome = await real.inquire(inquiry);
    if (this.death.at === 'inquired') throw this.dies();
    return outcome;
  }

  async #perform<C extends AcquirerCommand>(
    real: Acquirer,
    command: C,
    isCharge = false,
  ): Promise<OutcomeOf<C>> {
    if (this.death.at === 'unsent' && !isCharge && !isMadeAgainLater(command)) {
      this.#performed.push(command.reference);
      this.unsent = command;
      this.count(`${command.kind} unsent`);
      throw this.dies();
    }
    const outcome = await real.perform(command);
    this.#performed.push(command.reference);
    const { at, sparesCharges } = this.death;
    if (at === 'answered' && !(isCharge && sparesCharges)) {
      this.count(command.kind);
      throw this.dies();
    }
    const { meanwhile } = this;
    this.meanwhile = null;
    if (meanwhile !== null) this.overlaps += 1;
    await meanwhile?.();
    return outcome;
  }
}

/**
 * Whether a charge by a mandate that is not sent is made again later, or for another due date: it is before 06:00, or
 * too late for its due date.
 */
function isMadeAgainLater(command: AcquirerCommand): boolean {
  if (command.kind !== 'mandate_charge') return false;
  const at = command.requestedAt.getTime();
  return at < stepAt(dayOf(at)) || dayOf(at) > plusDays(command.dueDate, -SEND_DAYS);
}

type ChargeCommand = CommandOf<'authorize' | 'pix_charge' | 'bank_slip_charge'>;

const NO_ANSWER = { kind: 'unknown', cause: 'time_out' } as const;

/** What the service learns from the charges that an action sends with a fault. */
export function sendWith(fault: Fault): Send {
  const overtaken = new Set<ModelSubscription>();
  return (model): Reply => {
    if (fault === 'killed_before') return { isKnown: false, decision: 'not_sent' };
    if (fault === 'overtaken_before' && !overtaken.has(model)) {
      overtaken.add(model);
      return { isKnown: true, decision: 'not_sent' };
    }
    const { means } = model;
    const isAnswered = fault === 'none' || isOvertaken(fault);
    if (!('card' in means)) return { isKnown: isAnswered, decision: 'approve' };
    const { scripted, usual, isNotified } = means.card;
    const decision = scripted.shift() ?? usual;
    return { isKnown: isAnswered || (isNotified && decision === 'approve'), decision };
  };
}
