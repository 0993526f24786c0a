/**
 * Controls the simulated acquirer. Only the operations of the sandbox use it. References and ids are ours; times are
 * the merchant's.
 */
export interface SandboxControl {
  /**
   * Simulates an event of a payment, or of its latest refund: the simulator changes its state and sends the signed
   * notification. Resolves when the notification is delivered, or with the reason why the event is not possible.
   */
  simulate(request: SimulateRequest): Promise<Simulated>;
  /** The payer authorizes a mandate, and pays the first charge with it if there is one. Resolves like `simulate`. */
  authorizeMandate(decision: PayerDecision): Promise<Simulated>;
  /**
   * The payer ends an authorized mandate at the bank. `reason` is a code of Pix Automático. Resolves like `simulate`.
   */
  cancelMandate(decision: PayerDecision & { readonly reason: string | null }): Promise<Simulated>;
  /** Adds a script. A script whose id is known is returned as it is, and not added again. */
  createScript(script: SandboxScript): Promise<StoredScript>;
  /** The account's scripts, newest first, including used ones; `after` is the last one of the previous page. */
  listScripts(account: string, page: ScriptPage): Promise<StoredScript[]>;
  /** Deletes a script with its remaining outcomes. Returns false when the account has no such script. */
  dropScript(account: string, scriptId: string): Promise<boolean>;
  /** When the account's next scheduled event is due (merchant's time), or null. */
  nextDue(account: string): Promise<Date | null>;
  /** Runs all events of the account that are due until `instant`. Resolves when their notifications are delivered. */
  runDue(account: string, instant: Date): Promise<{ delivered: number }>;
  /** Sets the account's time, as an offset from wall time. */
  setClock(account: string, offset_ms: number): Promise<void>;
  /** A validation URL for a wallet session on the domain. It works once, for a few minutes of wall time. */
  createWalletSession(account: string, domainName: string): Promise<{ readonly validationUrl: string }>;
  /** A wallet token for a card in the wallet of a buyer on the domain. */
  createWalletToken(request: WalletTokenRequest): Promise<SandboxWalletToken>;
  /** Puts the verification file of a domain under `wallet.test` in place. */
  serveWalletFile(domainName: string, content: string): Promise<void>;
  /** Deletes everything of the account except its clock. Resolves to how many scripts there were. */
  reset(account: string): Promise<{ scripts: number }>;
}

export type Simulated = { kind: 'done' } | { kind: 'not_allowed'; why: string };

export interface WalletTokenRequest {
  readonly domainName: string;
  /** The number of the card in the wallet. */
  readonly number: string;
  readonly createdAt: Date;
}

export interface SandboxWalletToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** What a payer decides about a mandate. */
export interface PayerDecision {
  readonly account: string;
  /** The reference of the payment with which the mandate was requested. */
  readonly reference: string;
  readonly occurredAt: Date;
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
  /** Reference of the authorization or charge; of the refund for `refund_*`. */
  readonly reference: string;
  readonly outcome: SimulatedOutcome;
  /** A refusal reason for `refused`, only `fraud` for `fraud`, a reason of a dispute for `chargeback_requested`. */
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
