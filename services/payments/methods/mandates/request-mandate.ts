import { insertMandate } from '../../../../db/payments/mandates.ts';
import { pixTxid, uuidV7 } from '../../../../domain/identifiers.ts';
import type { Merchant } from '../../../../domain/merchants/merchant.ts';
import { type AgreedTerms, qrExpiry } from '../../../../domain/payments/mandate.ts';
import type { MandateRole, PixRecurringDetails } from '../../../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import type { CreationFields, RequestMandate } from '../../../../gateway/acquirer.ts';
import type { Deps, TransactionContext } from '../../../deps.ts';
import type { PreparedPayment } from '../method.ts';

/**
 * The data of a payment that requests a new mandate, with the first charge or with the amount 0. `at` is the merchant's
 * time.
 */
export function mandatePaymentDetails(
  deps: Pick<Deps, 'random'>,
  { slot }: Merchant,
  role: Exclude<MandateRole, 'later_charge'>,
  at: Date,
): PixRecurringDetails {
  return {
    mandateId: uuidV7(at.getTime(), deps.random),
    role,
    txid: role === 'first_charge' ? pixTxid(slot, deps.random) : null,
    qrCode: null,
    qrImage: null,
    expiresAt: qrExpiry(at),
    chargeCode: null,
    acquirerReference: null,
    endToEndId: null,
  };
}

/** Writes the mandate of a payment that was written in this transaction. */
export async function addMandate(
  { tx, merchant }: TransactionContext,
  payment: Payment<'pix_recurring'>,
  subscriptionId: string,
  terms: AgreedTerms,
): Promise<void> {
  await insertMandate(tx, merchant, {
    ...terms,
    id: payment.details.mandateId,
    subscriptionId,
    paymentId: payment.id,
    reference: payment.reference,
    state: 'created',
    chargeCode: null,
    cancellationCode: null,
    createdAt: payment.createdAt,
  });
}

/** The means of a payment that requests a mandate. */
export function preparedMandate(
  details: PixRecurringDetails,
  terms: AgreedTerms,
): PreparedPayment<'pix_recurring'> {
  return {
    async lock() {},
    details: () => details,
    take: async () => ({ command: (payment, common) => mandateCommand(payment, common, terms) }),
  };
}

/** The command that requests the mandate of a payment from the acquirer. */
function mandateCommand(
  { details: { txid, expiresAt } }: Payment<'pix_recurring'>,
  common: CreationFields,
  {
    interval,
    firstChargeOn,
    recurringAmount_centavos,
    minAmount_centavos,
    allowsRetries,
    statement,
  }: AgreedTerms,
): RequestMandate {
  return {
    ...common,
    kind: 'mandate',
    txid,
    expiresAt: expiresAt!,
    mandate: {
      interval,
      firstChargeOn,
      recurringAmount_centavos,
      minAmount_centavos,
      allowsRetries,
      statement,
    },
  };
}
