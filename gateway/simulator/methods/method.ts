import type { NotificationType } from '../../acquirer.ts';
import type { WireApproval, WireOperation } from '../../wire.ts';
import type { CreationType } from '../behaviours.ts';
import type { Fields } from '../fields.ts';
import type { Payment } from '../payments.ts';
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

interface CreatedPayment {
  readonly type: CreationType;
  /** The path of requests for a new payment. */
  readonly path: string;
  /** The operation that creates the payment, as answers name it. */
  readonly operation: WireOperation;
  /** Reads the fields of the method. Their values choose the behaviour. */
  read(
    fields: Fields,
    request: CreationRequest,
    simulator: Pick<Simulator, 'walletTokenKey'>,
  ): Pick<Payment, 'behaviour'> & Partial<Payment>;
  /** The data in an approval. */
  approval(payment: Payment): WireApproval;
  /** Why a paid payment cannot be charged back; absent if it can. */
  readonly whyNotDisputed?: string;
}

/** The acquirer decides, and the money is captured then or later. */
interface Authorized extends CreatedPayment {
  readonly type: 'authorization';
}

/** The acquirer registers a charge, and the buyer pays it later. */
interface Charged extends CreatedPayment {
  readonly type: 'charge';
  /** The notifications that report the end of a charge. */
  readonly notifications: Readonly<Record<'paid' | 'refused' | 'expired', NotificationType>>;
  /** The id of the transfer of a buyer who pays at `at`. */
  endToEndId?(at: Date): string;
  /** Why a buyer cannot pay after the expiry; null where a late payment is accepted. */
  readonly pastExpiry: string | null;
}
