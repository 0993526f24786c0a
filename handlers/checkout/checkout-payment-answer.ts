import { utcMicros } from '../../domain/local-time.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { components } from '../../generated/types.ts';
import { shownOutcome } from '../../services/checkout/shown-checkout.ts';
import type { Deps } from '../../services/deps.ts';
import { methodBlock } from '../payments/methods/index.ts';

type CheckoutPayment = components['schemas']['CheckoutPayment'];

/**
 * A payment as its buyer sees it, as in the contract. Nothing of a stored customer is in it. `pageHash`: the hash of the
 * payment link or the offer.
 */
export function checkoutPaymentAnswer(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  payment: Payment,
  pageHash: string,
): CheckoutPayment {
  const { pix, bank_slip, credit_card, debit_card } = methodBlock(deps, payment);
  const { status, refusal } = shownOutcome(payment);
  return {
    hash: payment.hash,
    checkout_url: `${deps.checkoutBaseUrl()}/${payment.offerId === null ? 'l' : 'c'}/${pageHash}`,
    status,
    amount: payment.amount_centavos,
    interest_amount: payment.interest_centavos,
    currency: payment.currency as CheckoutPayment['currency'],
    // A page offers only the methods of payment links.
    payment_method: payment.method as CheckoutPayment['payment_method'],
    installments: payment.installments,
    ...(pix && {
      pix: { qr_code: pix.qr_code, qr_code_image: pix.qr_code_image, expires_at: pix.expires_at },
    }),
    ...(bank_slip && { bank_slip }),
    ...(credit_card && { credit_card: shownCard(credit_card) }),
    ...(debit_card && { debit_card: shownCard(debit_card) }),
    refusal: refusal as CheckoutPayment['refusal'],
    created_at: utcMicros(payment.createdAt),
    updated_at: utcMicros(payment.updatedAt),
  };
}

function shownCard({ brand, last_4 }: components['schemas']['PaymentCreditCard']) {
  return { brand, last_4 };
}
