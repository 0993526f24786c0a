import type pg from 'pg';
import { gather } from './gather.ts';
import { insertPayments, type NewPayment } from './operations.ts';
import type { Outbox } from './outbox.ts';
import { type CredentialCard, type CredentialOfAccount, findCredentials } from './payments.ts';

/** The dependencies of the simulator's operations. */
export interface Simulator {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  /** Seals wallet tokens. */
  readonly walletTokenKey: Buffer;
  readonly together: Together;
}

/** What is sent together for requests that arrive together. */
export interface Together {
  /** The card of a credential, and how it behaves. Null if the account has no such credential. */
  findCredential(wanted: CredentialOfAccount): Promise<CredentialCard | null>;
  /** Writes a payment. Returns whether it is written (`insertPayments`). */
  insertPayment(created: NewPayment): Promise<boolean>;
}

/** Sends calls of one turn of the event loop together. */
export function sentTogether(pool: pg.Pool): Together {
  return {
    findCredential: gather((wanted) => findCredentials(pool, wanted)),
    insertPayment: gather((created) => insertPayments(pool, created, { isWholeRequest: true })),
  };
}
