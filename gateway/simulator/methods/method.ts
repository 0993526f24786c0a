import type { NotificationType } from '../../acquirer.ts';
import type { WireApproval, WireOperation } from '../../wire.ts';
import type { CreationType } from '../behaviours.ts';
import type { Fields } from '../fields.ts';
import type { Payment } from '../payments.ts';

/** What every request for a new payment has. */
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
  /** Where a payment is requested. */
  readonly path: string;
  /** The operation that creates the payment, as answers name it. */
  readonly operation: WireOperation;
  /** Reads the fields of the method, and chooses the behaviour by their values. */
  read(fields: Fields, request: CreationRequest): Pick<Payment, 'behaviour'> & Partial<Payment>;
  /** What an approval brings. */
  approval(): WireApproval;
}

/** The acquirer decides, and the money is captured then or later. */
interface Authorized extends CreatedPayment {
  readonly type: 'authorization';
}

/** The acquirer registers a charge, and the buyer pays it later. */
interface Charged extends CreatedPayment {
  readonly type: 'charge';
  /** How the acquirer reports the end of a charge. */
  readonly notifications: Readonly<Record<'paid' | 'refused' | 'expired', NotificationType>>;
  /** Names the transfer of a buyer who pays at `at`. */
  endToEndId?(at: Date): string;
  /** Why a buyer cannot pay after the expiry. */
  readonly pastExpiry: string;
}
