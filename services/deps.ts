import type { Database, Tx } from '../db/engine/database.ts';
import type { Environment } from '../domain/merchants/api-key.ts';
import { type Merchant, merchantNow } from '../domain/merchants/merchant.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Acquirer } from '../gateway/acquirer.ts';
import type { SandboxControl } from '../gateway/sandbox-control.ts';
import type { HostLookups } from './host-lookups.ts';
import type { RecoveryPoint } from './recovery-points.ts';
import type { KeyedHash } from './vault/keyed-hash.ts';
import type { Vault } from './vault/vault.ts';
import type { Waits } from './waits.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** How resources look to a merchant. Events keep this rendering, so the wire's module hands it in. */
export interface Presenters {
  payment(payment: Payment): JsonObject;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What every use case may need; wired together once, in main.ts. */
export interface Deps {
  readonly environment: Environment;
  readonly db: Database;
  readonly vault: Vault;
  readonly hash: KeyedHash;
  readonly acquirer: Acquirer;
  /** Null in production. */
  readonly sandbox: SandboxControl | null;
  readonly present: Presenters;
  /** Counts the requests that wait for an answer from outside. */
  readonly waits: Waits;
  /** Look-ups of the host names that merchants give. */
  readonly hostLookups: HostLookups;
  /** Whether a merchant may name http and private addresses (sandbox only). */
  readonly allowPrivateDestinations: boolean;
  readonly log: Log;
  /** Wall time: for leases, expiries of our own and time stamps of work; never for business time. */
  wall(): Date;
  random(bytes: number): Uint8Array;
  /** Counts a discrepancy in the metrics. */
  countDiscrepancy(labels: { source: string; reason: string }): void;
  /** Told when a recovery point is reached; a test dies there, the product does nothing. */
  reached(point: RecoveryPoint): void;
}

/** Business time: the merchant's clock. */
export function now(deps: Deps, merchant: Pick<Merchant, 'clock'>): Date {
  return merchantNow(merchant.clock, deps.wall());
}

/**
 * The last act of a use case, run inside its last transaction: what it returns is what the use case returns. The HTTP
 * layer renders and stores the idempotent answer here, so that work and answer commit together or not at all.
 */
export type Finish<Result, Answer> = (tx: Tx, result: Result) => Promise<Answer>;

/** A finish that adds nothing: for jobs and scripts. */
export const keep = async <Result>(_tx: Tx, result: Result): Promise<Result> => result;
