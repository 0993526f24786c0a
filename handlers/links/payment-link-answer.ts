import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import type { ShownPaymentLink } from '../../services/links/shown-payment-link.ts';

type PaymentLinkAnswer = components['schemas']['PaymentLink'];

/** A payment link as in the contract, with its status by the merchant's clock. */
export function paymentLinkAnswer(
  { deps }: { readonly deps: Deps },
  link: ShownPaymentLink,
): PaymentLinkAnswer {
  return {
    id: link.id,
    hash: link.hash,
    url: `${deps.checkoutBaseUrl()}/l/${link.hash}`,
    status: link.status,
    ...settingsAnswer(link),
    payments_count: link.paymentsCount,
    created_at: utcMicros(link.createdAt),
    updated_at: utcMicros(link.updatedAt),
  };
}

function settingsAnswer(link: ShownPaymentLink) {
  return {
    title: link.title,
    description: link.description,
    amount_type: link.amountType,
    amount: link.amount_centavos,
    payment_methods: [...link.paymentMethods],
    max_installments: link.maxInstallments,
    interest_mode: link.interestMode,
    interest_free_installments: link.interestFreeInstallments,
    card_capture: link.cardCapture,
    boleto_expiration_days: link.boletoExpirationDays,
    pix_expiration_minutes: link.pixExpirationMinutes,
    expires_at: link.expiresAt && utcMicros(link.expiresAt),
    max_payments: link.maxPayments,
    collect_phone: link.collectPhone,
    require_address: link.requireAddress,
    soft_descriptor: link.softDescriptor,
    notification_url: link.notificationUrl,
    send_email_receipt: link.sendEmailReceipt,
    logo_url: link.logoUrl,
    logo: link.logo,
    brand_color: link.brandColor,
    recurrence_interval: link.recurrenceInterval,
    recurrence_trial_days: link.recurrenceTrialDays,
  };
}
