import type { DueRows } from '../db/due-rows.ts';
import type { Database, Queryable, Tx } from '../db/engine/database.ts';
import type { MerchantTable } from '../db/merchants/merchant-data.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { EventObject } from '../domain/events/event-object.ts';
import type { Environment } from '../domain/merchants/api-key.ts';
import { type Merchant, merchantNow } from '../domain/merchants/merchant.ts';
import type { Mandate } from '../domain/payments/mandate.ts';
import type { MandateMove } from '../domain/payments/mandate-moves.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { PaymentTransition } from '../domain/payments/plan-moves.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Actor } from '../domain/state-machine.ts';
import type { ShownSubscription } from '../domain/subscriptions/subscription.ts';
import type { Acquirer } from '../gateway/acquirer.ts';
import type { SandboxControl } from '../gateway/sandbox-control.ts';
import type { SettlementFiles } from '../gateway/settlement-files.ts';
import type { PaymentStreams } from './checkout/payment-streams.ts';
import type { Mailer } from './emails/mailer.ts';
import type { LongPolls } from './events/long-polls.ts';
import type { RecoveryPoint } from './recovery-points.ts';
import type { UpstreamCalls } from './upstream-calls.ts';
import type { KeyedHash } from './vault/keyed-hash.ts';
import type { Vault } from './vault/vault.ts';
import type { WalletConnections } from './wallet/wallet-connections.ts';
import type { HostLookups } from './webhooks/host-lookups.ts';
import type { OutgoingSender } from './webhooks/outgoing.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** Resources in the form in which a merchant reads them. Events store this form, so the handlers provide it. */
export interface Presenters {
  payment(deps: Pick<Deps, 'checkoutBaseUrl'>, payment: Payment): JsonObject;
  subscription(deps: Pick<Deps, 'checkoutBaseUrl'>, subscription: ShownSubscription): JsonObject;
  /** The body of a webhook delivery: the same as `GET /events/{id}` answers. */
  event(event: EventRecord, environment: Environment): JsonObject;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Work that falls due by a merchant's clock. */
export interface ClockedWork {
  readonly rows: DueRows;
  /**
   * Does the work that is due at the merchant's current time. Each item has its own transaction, which checks that the
   * item is still due and records it as a step (`recordClockStep`). Work that calls the acquirer also reconciles its
   * operations without an answer (`reconcileOperationsOf`). Returns the number of items.
   */
  runDue(deps: Deps, merchant: Merchant): Promise<number>;
}

/** How to find the addresses that objects of one type have for their events (contract row 9.6). */
export interface NotificationUrls {
  readonly objectType: EventObject;
  /** By the object's id; objects without an address are left out. */
  find(
    q: Queryable,
    scope: MerchantScope,
    objectIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** A change of a payment, after it was written. */
export interface PaymentChange {
  readonly before: Payment;
  readonly after: Payment;
  readonly by: Actor;
  /** The moves that made it, in their order. */
  readonly transitions: readonly PaymentTransition[];
  /** Merchant's time. */
  readonly at: Date;
}

/** Follows the changes of payments in an area above them. */
export interface PaymentListener {
  /** Runs in the transaction of the change. */
  changed(context: TransactionContext, change: PaymentChange): Promise<void>;
}

/** A change of a mandate of Pix Automático, after it was written. */
export interface MandateChange {
  readonly after: Mandate;
  readonly move: MandateMove;
  readonly by: Actor;
  /** Merchant's time. */
  readonly at: Date;
}

/** Follows the changes of mandates in an area above them. */
export interface MandateListener {
  /** Locks what the change of a mandate can change too. Runs before the mandate is written. */
  lock(context: TransactionContext, mandate: Mandate): Promise<void>;
  /** Runs in the transaction of the change. The payment with which the mandate was requested is locked. */
  changed(context: TransactionContext, change: MandateChange): Promise<void>;
}

/** What an area above uses cards for. */
export interface CardUse {
  /** Whether a card cannot be deleted now. Runs in the transaction that deletes the card, and holds its lock. */
  isUsed(context: TransactionContext, cardId: string): Promise<boolean>;
}

/** The dependencies of use cases, wired once in composition/. */
export interface Deps {
  readonly environment: Environment;
  readonly db: Database;
  readonly vault: Vault;
  readonly hash: KeyedHash;
  readonly acquirer: Acquirer;
  readonly settlementFiles: SettlementFiles;
  /** Null in production. */
  readonly sandbox: SandboxControl | null;
  readonly present: Presenters;
  /** Sends e-mails to buyers. Null if no mail server is configured. */
  readonly mailer: Mailer | null;
  /** Counts the upstream calls in flight. */
  readonly upstreamCalls: UpstreamCalls;
  /** Counts the requests that wait for new events. */
  readonly longPolls: LongPolls;
  /** Counts the streams of events that follow the payments of buyers. */
  readonly paymentStreams: PaymentStreams;
  /** Looks up the host names that merchants give. */
  readonly hostLookups: HostLookups;
  /** Makes every call to an address that a merchant gave. */
  readonly outgoing: OutgoingSender;
  readonly wallet: WalletConnections;
  readonly notificationUrls: readonly NotificationUrls[];
  readonly paymentListeners: readonly PaymentListener[];
  readonly mandateListeners: readonly MandateListener[];
  readonly cardUses: readonly CardUse[];
  /** Whether a merchant may name http and private addresses (sandbox only). */
  readonly allowPrivateDestinations: boolean;
  readonly log: Log;
  /** Where the checkout pages are, without a slash at the end: `https://pay.example.com`. */
  checkoutBaseUrl(): string;
  /** Wall time, for leases and other technical times. Business time is `now`. */
  wall(): Date;
  random(bytes: number): Uint8Array;
  /** All work that follows the clocks of merchants, in the order in which it runs at one instant. */
  readonly clockedWork: readonly ClockedWork[];
  /** The tables of all areas that a reset of the sandbox empties. */
  readonly merchantTables: readonly MerchantTable[];
  /** Counts a discrepancy in the metrics. */
  countDiscrepancy(labels: { source: string; reason: string }): void;
  /** Counts a settlement file that was requested, in the metrics. */
  countSettlementFile(labels: { result: 'agreed' | 'differed' | 'unavailable' }): void;
  /** Sets the gauge of merchants whose comparison with the settlement files is late. */
  setMerchantsBehind(count: number): void;
  /** Counts an attempt of a webhook delivery in the metrics. */
  countDeliveryAttempt(labels: { result: 'succeeded' | 'failed' }): void;
  /** Counts a queue of webhook deliveries that was missing, in the metrics. */
  countRestoredQueue(): void;
  /** Counts, for each limit that it exceeds, a card payment that a checkout page refused because of too many tries. */
  countRefusedCardTry(labels: { limit: 'address' | 'card' | 'page' }): void;
  /** Sets the gauges of what is not delivered yet. */
  setWebhookBacklog(backlog: {
    readonly oldestDue_s: number;
    readonly due: number;
    readonly scheduled: number;
    readonly events: number;
  }): void;
  /** Called at each recovery point. Tests end the process there; the service does nothing. */
  reached(point: RecoveryPoint): void;
}

/** The parameters that the steps of a use case share within one transaction. */
export interface TransactionContext {
  readonly deps: Deps;
  readonly tx: Tx;
  readonly merchant: Merchant;
}

/** The merchant's current time: business time. */
export function now(deps: Deps, merchant: Pick<Merchant, 'clock'>): Date {
  return merchantNow(merchant.clock, deps.wall());
}

/**
 * The last step of a use case, which runs in its last transaction and makes its result. A handler stores the idempotent
 * answer here, so that work and answer are committed together or not at all.
 */
export type Finish<Result, Answer> = (tx: Tx, result: Result) => Promise<Answer>;

/** A `Finish` for callers that store no answer. */
export const returnResult = async <Result>(_tx: Tx, result: Result): Promise<Result> => result;
