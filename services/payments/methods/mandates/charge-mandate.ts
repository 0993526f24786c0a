import { findMandate } from '../../../../db/payments/mandates.ts';
import { insertOperation } from '../../../../db/payments/payment-operations.ts';
import { pixTxid, uuidV7 } from '../../../../domain/identifiers.ts';
import type { Merchant } from '../../../../domain/merchants/merchant.ts';
import type { Mandate } from '../../../../domain/payments/mandate.ts';
import type { PixRecurringDetails } from '../../../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import type { AcquirerCustomer, ChargeMandate } from '../../../../gateway/acquirer.ts';
import { type Deps, now, type TransactionContext } from '../../../deps.ts';
import { requireRow } from '../../../refusal.ts';
import { movePayment } from '../../move-payment.ts';
import { type BegunOperation, firstCheckAt } from '../../run-operation.ts';

/** The data of a payment that is charged by an authorized mandate. */
export function laterChargeDetails(
  deps: Pick<Deps, 'random'>,
  { slot }: Merchant,
  { id, chargeCode }: Pick<Mandate, 'id' | 'chargeCode'>,
): PixRecurringDetails {
  return {
    mandateId: id,
    role: 'later_charge',
    txid: pixTxid(slot, deps.random),
    qrCode: null,
    qrImage: null,
    expiresAt: null,
    chargeCode,
    acquirerReference: null,
    endToEndId: null,
  };
}

/**
 * Moves a scheduled charge to `waiting_payment`, and writes its operation. The payment is locked. The caller commits,
 * and then sends the command (`runOperation`).
 */
export async function beginMandateCharge(
  context: TransactionContext,
  payment: Payment<'pix_recurring'>,
  customer: AcquirerCustomer,
): Promise<BegunOperation> {
  const { deps, tx, merchant } = context;
  const at = now(deps, merchant);
  const mandate = requireRow(await findMandate(tx, merchant, payment.details.mandateId));
  const { amount_centavos, reference } = payment;
  // Sent together.
  const [operation] = await Promise.all([
    insertOperation(tx, merchant, {
      id: uuidV7(at.getTime(), deps.random),
      paymentId: payment.id,
      paymentAmount_centavos: amount_centavos,
      refundId: null,
      kind: 'mandate_charge',
      amount_centavos,
      reference,
      createdAt: at,
      checkAt: firstCheckAt(deps),
    }),
    movePayment(context, payment, { by: 'clock', at }, { move: 'send' }),
  ]);
  if (operation === undefined) throw new Error(`The payment ${payment.id} was sent before.`);
  const command: ChargeMandate = {
    kind: 'mandate_charge',
    reference,
    account: merchant.merchantId,
    requestedAt: at,
    method: payment.method,
    amount_centavos,
    customer,
    mandateReference: mandate.reference,
    txid: payment.details.txid!,
    dueDate: payment.billingDate!,
  };
  return { operation, command };
}
