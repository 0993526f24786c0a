/**
 * The sandbox's strings behind the simulated acquirer: what a QA engineer may move. Only the sandbox operations use
 * it; the payment path knows nothing of it. References and ids are ours; times are the merchant's.
 */
export interface SandboxControl {
  /**
   * Makes something happen to a payment, or to its latest refund: the simulator changes its own books and sends the
   * signed notification; resolves when that was delivered (or refused by its own rules: `refused`).
   */
  simulate(request: SimulateRequest): Promise<{ kind: 'done' } | { kind: 'not_allowed'; why: string }>;
  /** Keeps a script; one whose id is known is answered as it is, and not kept again. */
  createScript(script: SandboxScript): Promise<StoredScript>;
  /** The account's scripts, newest first, those that are used up too; `after` is the last one of an earlier page. */
  listScripts(account: string, page: ScriptPage): Promise<StoredScript[]>;
  /** Removes a script with what remains of it; false when the account has no such script. */
  dropScript(account: string, scriptId: string): Promise<boolean>;
  /** When the next thing that this account's simulator has planned is due (merchant's time), or null. */
  nextDue(account: string): Promise<Date | null>;
  /** Runs all that is due for the account until `instant`, delivering each notification; resolves when quiet. */
  runDue(account: string, instant: Date): Promise<{ delivered: number }>;
  /** Tells the account's time: offset from wall time, so that planned things fall due by it. */
  setClock(account: string, offset_ms: number): Promise<void>;
  /** Empties the account's books, whose clock stays; resolves to how many scripts there were. */
  reset(account: string): Promise<{ scripts: number }>;
}

export const SIMULATED_OUTCOMES = [
  'paid',
  'refused',
  'expired',
  'fraud',
  'refund_succeeded',
  'refund_denied',
  'cancel_confirmed',
  'chargeback_requested',
  'chargeback_dispute',
  'chargeback_won',
  'chargeback_lost',
] as const;

export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export interface SimulateRequest {
  readonly account: string;
  /** Reference of the authorization or Pix charge; of the refund for `refund_*`. */
  readonly reference: string;
  readonly outcome: SimulatedOutcome;
  /** A refusal reason for `refused` and `fraud`. */
  readonly reason: string | null;
  readonly occurredAt: Date;
}

export interface SandboxScript {
  readonly scriptId: string;
  readonly account: string;
  /** Exactly one of the two. */
  readonly customerId: string | null;
  readonly cardId: string | null;
  readonly outcomes: readonly ScriptedOutcome[];
  /** Merchant's time. */
  readonly createdAt: Date;
}

export interface StoredScript extends SandboxScript {
  /** Outcomes that no call has used yet, in their order. */
  readonly remaining: readonly ScriptedOutcome[];
}

export interface ScriptPage {
  readonly limit: number;
  /** ISO 8601 instant and script id. */
  readonly after: { readonly createdAt: string; readonly id: string } | null;
}

export interface ScriptedOutcome {
  readonly operation: 'authorize' | 'capture' | 'cancel' | 'refund' | 'mandate';
  /** `approve`, `time_out`, or a refusal reason. */
  readonly outcome: string;
}
