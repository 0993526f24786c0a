import type { PaymentLink, PaymentLinkSettings, PaymentLinkState } from '../../domain/links/payment-link.ts';

/** A row of `payment_links` as `COLUMNS` reads it. */
export interface PaymentLinkRow {
  id: string;
  hash: string;
  state: PaymentLinkState;
  title: string;
  description: string | null;
  amount_type: PaymentLink['amountType'];
  amount_centavos: number | null;
  payment_methods: PaymentLink['paymentMethods'];
  max_installments: number;
  interest_mode: PaymentLink['interestMode'];
  interest_free_installments: number;
  card_capture: boolean;
  boleto_expiration_days: number;
  pix_expiration_minutes: number;
  expires_at: Date | null;
  max_payments: number | null;
  collect_phone: boolean;
  require_address: boolean;
  soft_descriptor: string | null;
  notification_url: string | null;
  send_email_receipt: boolean;
  logo_url: string | null;
  brand_color: string | null;
  recurrence_interval: PaymentLink['recurrenceInterval'];
  recurrence_trial_days: number | null;
  payments_count: number;
  payments_under_way: number;
  created_at: Date;
  updated_at: Date;
}

/** The columns that an update may change. Each is also the name of its parameter. */
export const SETTINGS = [
  'title',
  'description',
  'amount_type',
  'amount_centavos',
  'payment_methods',
  'max_installments',
  'interest_mode',
  'interest_free_installments',
  'card_capture',
  'boleto_expiration_days',
  'pix_expiration_minutes',
  'expires_at',
  'max_payments',
  'collect_phone',
  'require_address',
  'soft_descriptor',
  'notification_url',
  'send_email_receipt',
  'logo_url',
  'brand_color',
  'recurrence_interval',
  'recurrence_trial_days',
] as const satisfies readonly (keyof PaymentLinkRow)[];

export const COLUMNS = `id, hash, state, ${SETTINGS.join(', ')}, payments_count, payments_under_way, created_at,
  updated_at`;

/** The values of `SETTINGS`. */
export function settingsColumns(link: PaymentLinkSettings) {
  return {
    title: link.title,
    description: link.description,
    amount_type: link.amountType,
    amount_centavos: link.amount_centavos,
    payment_methods: link.paymentMethods,
    max_installments: link.maxInstallments,
    interest_mode: link.interestMode,
    interest_free_installments: link.interestFreeInstallments,
    card_capture: link.cardCapture,
    boleto_expiration_days: link.boletoExpirationDays,
    pix_expiration_minutes: link.pixExpirationMinutes,
    expires_at: link.expiresAt,
    max_payments: link.maxPayments,
    collect_phone: link.collectPhone,
    require_address: link.requireAddress,
    soft_descriptor: link.softDescriptor,
    notification_url: link.notificationUrl,
    send_email_receipt: link.sendEmailReceipt,
    logo_url: link.logoUrl,
    brand_color: link.brandColor,
    recurrence_interval: link.recurrenceInterval,
    recurrence_trial_days: link.recurrenceTrialDays,
  };
}

/** A row of `COLUMNS` as a payment link. */
export function toPaymentLink(row: PaymentLinkRow): PaymentLink {
  return {
    id: row.id,
    hash: row.hash,
    state: row.state,
    title: row.title,
    description: row.description,
    amountType: row.amount_type,
    amount_centavos: row.amount_centavos,
    paymentMethods: row.payment_methods,
    maxInstallments: row.max_installments,
    interestMode: row.interest_mode,
    interestFreeInstallments: row.interest_free_installments,
    cardCapture: row.card_capture,
    boletoExpirationDays: row.boleto_expiration_days,
    pixExpirationMinutes: row.pix_expiration_minutes,
    expiresAt: row.expires_at,
    maxPayments: row.max_payments,
    collectPhone: row.collect_phone,
    requireAddress: row.require_address,
    softDescriptor: row.soft_descriptor,
    notificationUrl: row.notification_url,
    sendEmailReceipt: row.send_email_receipt,
    logoUrl: row.logo_url,
    brandColor: row.brand_color,
    recurrenceInterval: row.recurrence_interval,
    recurrenceTrialDays: row.recurrence_trial_days,
    paymentsCount: row.payments_count,
    paymentsUnderWay: row.payments_under_way,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
