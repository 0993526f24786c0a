import { utcMicros } from '../../domain/local-time.ts';
import type { Payment, PaymentShare } from '../../domain/payments/payment.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import { merchantShare } from '../../services/payments/get-payment.ts';
import { methodBlock } from './methods/index.ts';

type PaymentAnswer = components['schemas']['Payment'];

/** A payment as in the contract. Events store this form. */
export function paymentAnswer(deps: Pick<Deps, 'checkoutBaseUrl'>, payment: Payment): PaymentAnswer {
  return {
    id: payment.id,
    hash: payment.hash,
    order_id: payment.orderId,
    order_code: payment.orderCode,
    payment_link_id: payment.paymentLinkId,
    offer_id: payment.offerId,
    subscription_id: payment.subscriptionId,
    customer_id: payment.customerId,
    status: payment.status,
    amount: payment.amount_centavos,
    currency: payment.currency as PaymentAnswer['currency'],
    payment_method: payment.method,
    installments: payment.installments,
    interest_amount: payment.interest_centavos,
    captured_amount: payment.captured_centavos,
    refunded_amount: payment.refunded_centavos,
    split: payment.split.map(shareAnswer),
    merchant_amount: merchantShare(payment),
    fee_amount: payment.fee_centavos,
    ...methodBlock(deps, payment),
    refusal: payment.refusal as PaymentAnswer['refusal'],
    retry_attempts: payment.retryAttempts,
    billing_date: payment.billingDate,
    metadata: { ...payment.metadata },
    history: payment.history.map((step) => ({ status: step.status, at: utcMicros(step.at) })),
    created_at: utcMicros(payment.createdAt),
    updated_at: utcMicros(payment.updatedAt),
  };
}

function shareAnswer(share: PaymentShare): PaymentAnswer['split'][number] {
  return {
    recipient_id: share.recipient,
    type: share.type,
    amount: share.value,
    allow_charge_processing_fee: share.bearsFee,
    allow_charge_remainder_fee: share.takesRemainder,
    is_liable: share.isLiable,
    share_amount: share.share_centavos,
    fee_amount: share.fee_centavos,
  };
}
