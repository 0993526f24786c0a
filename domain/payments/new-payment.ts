import { operationReference, publicHash, uuidV7 } from '../identifiers.ts';
import type { RandomBytes } from '../random-text.ts';
import type { Payment } from './payment.ts';

/** What every payment begins with, before it is sent to the acquirer. */
type Beginning = Pick<
  Payment,
  | 'id'
  | 'hash'
  | 'reference'
  | 'status'
  | 'pendingOperation'
  | 'captured_centavos'
  | 'refunded_centavos'
  | 'refunding_centavos'
  | 'fee_centavos'
  | 'capturedOn'
  | 'refusal'
  | 'dueAt'
  | 'history'
  | 'createdAt'
  | 'updatedAt'
>;

/** A new payment of the merchant in `slot`. `at` is the merchant's time. */
export function newPayment(
  { slot, at, random }: { readonly slot: number; readonly at: Date; readonly random: RandomBytes },
  fields: Omit<Payment, keyof Beginning>,
): Payment {
  const beginning: Beginning = {
    id: uuidV7(at.getTime(), random),
    hash: publicHash(slot, random),
    reference: operationReference(slot, random),
    status: 'processing',
    pendingOperation: null,
    captured_centavos: 0,
    refunded_centavos: 0,
    refunding_centavos: 0,
    fee_centavos: null,
    capturedOn: null,
    refusal: null,
    dueAt: null,
    history: [{ status: 'processing', at }],
    createdAt: at,
    updatedAt: at,
  };
  return { ...fields, ...beginning };
}
