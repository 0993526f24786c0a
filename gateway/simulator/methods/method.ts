import type { PaymentRefusal } from '../../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../../acquirer.ts';
import type { WireApproval, WireOperation } from '../../wire.ts';
import type { CreationType, EventName } from '../behaviours.ts';
import type { Tx } from '../database.ts';
import type { Fields } from '../fields.ts';
import type { Payment } from '../payments.ts';
import type { ScriptedCall } from '../scripts.ts';
import type { Simulator } from '../simulator.ts';

/** The fields that every request for a new payment has. */
export interface CreationRequest {
  readonly account: string;
  readonly reference: string;
  readonly requestedAt: Date;
  readonly amount_centavos: number;
  readonly customer: { readonly id: string; readonly document: string | null };
}

/** What the simulated acquirer knows about one payment method. */
export type SimulatedMethod = Authorized | Charged;

/** How the payments of a method are created. */
interface CreatedPayment {
  readonly type: CreationType;
  readonly creations: readonly [Creation, ...Creation[]];
  /** Why a paid payment cannot be charged back; absent if it can. */
  readonly whyNotDisputed?: string;
}

/** One kind of request for a new payment. */
export interface Creation {
  /** The path of requests for a new payment. */
  readonly path: string;
  /** The operation that creates the payment, as answers name it. */
  readonly operation: WireOperation;
  /** Reads the fields of the method. Their values choose the behaviour. */
  read(
    fields: Fields,
    request: CreationRequest,
    simulator: Pick<Simulator, 'together' | 'walletTokenKey'>,
  ): ReadPayment | Promise<ReadPayment>;
  /** The data in an approval. */
  approval(payment: Payment): WireApproval;
  /** Whether the amount may be 0. */
  readonly allowsZero?: boolean;
  /** The steps of scripts that decide it; absent for `authorize`. */
  readonly scriptedAs?: ScriptedCall;
  /** Why the request is refused, whatever the behaviour is. */
  refusal?(tx: Tx, payment: Payment): Promise<PaymentRefusal | null>;
  /** What the payer does after the request was accepted. A scripted refusal is then the payer's, and not the answer. */
  payerEvent?(payment: Payment, scripted: string | null): PayerEvent | null;
}

/** What a request says about its method. */
type ReadPayment = Pick<Payment, 'behaviour'> & Partial<Payment>;

/** What a payer does, and when by the account's time. */
export interface PayerEvent {
  readonly event: EventName;
  readonly dueAt: Date;
  /** Why it is refused or rejected; null for other events. */
  readonly reason: string | null;
}

/** The acquirer decides, and the money is captured then or later. */
interface Authorized extends CreatedPayment {
  readonly type: 'authorization';
}

/** The acquirer registers a charge, and the buyer pays it later. */
interface Charged extends CreatedPayment {
  readonly type: 'charge' | 'mandate';
  /** The notifications that report the end of a charge. */
  readonly notifications: Readonly<Record<'paid' | 'refused' | 'expired', NotificationType>>;
  /** The refusal for a reason; absent for those of cards. */
  refusal?(code: string): PaymentRefusal;
  /** The id of the transfer of a buyer who pays at `at`. */
  endToEndId?(at: Date): string;
  /** Why a buyer cannot pay after the expiry; null where a late payment is accepted. */
  readonly pastExpiry: string | null;
}
