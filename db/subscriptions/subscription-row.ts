import type { OrderBuyer, OrderItem } from '../../domain/orders/order.ts';
import type { PriceBand } from '../../domain/products/price-ladder.ts';
import type { Billing, OpenCycle, Period, Plan } from '../../domain/subscriptions/billing.ts';
import type { BillingSchedule } from '../../domain/subscriptions/billing-dates.ts';
import { nextStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import type { MandateTerms } from '../../domain/subscriptions/mandate-terms.ts';
import type { BillingMethod } from '../../domain/subscriptions/methods/names.ts';
import type {
  PendingMandate,
  PendingUpgrade,
  Subscription,
  SubscriptionPayer,
  SubscriptionShare,
} from '../../domain/subscriptions/subscription.ts';
import type { SubscriptionStatus } from '../../domain/subscriptions/subscription-status.ts';
import type { ColumnTypes, Row } from '../engine/row-list.ts';

/** The terms of a mandate in a column of JSON. */
type StoredTerms = Omit<MandateTerms, 'qrExpiresAt'> & { readonly qrExpiresAt: string };

/** A row of table subscriptions. */
export interface SubscriptionRow {
  id: string;
  code: string;
  status: SubscriptionStatus;
  method: BillingMethod;
  customer_id: string;
  card_id: string | null;
  wallet_credential_id: string | null;
  payer: SubscriptionPayer | null;
  mcc: string;
  currency: string;
  installments: number;
  statement_descriptor: string | null;
  processing_model: string | null;
  description: string | null;
  notification_url: string | null;
  items: OrderItem[];
  split: SubscriptionShare[] | null;
  offer_id: string | null;
  interval: Plan['interval'];
  ladder: PriceBand[];
  pending_plan: Plan | null;
  pending_upgrade: PendingUpgrade | null;
  schedule: BillingSchedule;
  start_at: Date;
  trial_days: number;
  best_charge_day: number | null;
  payment_link_id: string | null;
  page_offer_id: string | null;
  buyer: OrderBuyer | null;
  paid_cycles: number;
  paid_period: Period | null;
  open_cycle: OpenCycle | null;
  credit_centavos: number;
  mandate_id: string | null;
  mandate: StoredTerms | null;
  /** Rows of an older version have no plan. */
  pending_mandate:
    | (Omit<PendingMandate, 'terms' | 'plan'> & { terms: StoredTerms; plan?: Plan | null })
    | null;
  last_attempt_on: string | null;
  last_mandate_due_on: string | null;
  latest_payment_id: string | null;
  cancellation_reason: string | null;
  canceled_at: Date | null;
  ends_at: Date | null;
  ended_at: Date | null;
  due_step: StepKind | null;
  due_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * The columns that a change of the billing can change, with their types. The names are also those of the parameters.
 */
export const BILLING_TYPES = {
  status: 'text',
  method: 'text',
  card_id: 'uuid',
  wallet_credential_id: 'uuid',
  payer: 'jsonb',
  offer_id: 'uuid',
  interval: 'text',
  ladder: 'jsonb',
  pending_plan: 'jsonb',
  pending_upgrade: 'jsonb',
  schedule: 'jsonb',
  paid_cycles: 'integer',
  paid_period: 'jsonb',
  open_cycle: 'jsonb',
  credit_centavos: 'bigint',
  mandate_id: 'uuid',
  mandate: 'jsonb',
  pending_mandate: 'jsonb',
  last_attempt_on: 'date',
  last_mandate_due_on: 'date',
  latest_payment_id: 'uuid',
  cancellation_reason: 'text',
  canceled_at: 'timestamptz',
  ends_at: 'timestamptz',
  ended_at: 'timestamptz',
  due_step: 'text',
  due_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Partial<ColumnTypes<keyof SubscriptionRow>>;
type BillingColumn = keyof typeof BILLING_TYPES;
export const BILLING_COLUMNS = Object.keys(BILLING_TYPES) as BillingColumn[];

/** The columns that never change. */
export const CONSTANT_COLUMNS = [
  'id',
  'code',
  'customer_id',
  'mcc',
  'currency',
  'installments',
  'statement_descriptor',
  'processing_model',
  'description',
  'notification_url',
  'items',
  'split',
  'start_at',
  'trial_days',
  'best_charge_day',
  'payment_link_id',
  'page_offer_id',
  'buyer',
  'created_at',
] as const satisfies readonly (keyof SubscriptionRow)[];

export const SUBSCRIPTION_COLUMNS = [...CONSTANT_COLUMNS, ...BILLING_COLUMNS].join(', ');

/** A row as a subscription. */
export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    code: row.code,
    customerId: row.customer_id,
    cardId: row.card_id,
    walletCredentialId: row.wallet_credential_id,
    payer: row.payer,
    mandateId: row.mandate_id,
    mcc: row.mcc,
    currency: row.currency,
    installments: row.installments,
    statementDescriptor: row.statement_descriptor,
    processingModel: row.processing_model,
    description: row.description,
    notificationUrl: row.notification_url,
    items: row.items,
    split: row.split ?? [],
    startAt: row.start_at,
    bestChargeDay: row.best_charge_day,
    paymentLinkId: row.payment_link_id,
    pageOfferId: row.page_offer_id,
    buyer: row.buyer,
    billing: billingOf(row),
    pendingUpgrade: row.pending_upgrade,
    pendingMandate: row.pending_mandate && {
      ...row.pending_mandate,
      plan: row.pending_mandate.plan ?? null,
      terms: toTerms(row.pending_mandate.terms),
    },
    latestPaymentId: row.latest_payment_id,
    cancellationReason: row.cancellation_reason,
    canceledAt: row.canceled_at,
    endedAt: row.ended_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function billingOf(row: SubscriptionRow): Billing {
  return {
    status: row.status,
    method: row.method,
    plan: { offerId: row.offer_id, interval: row.interval, ladder: row.ladder },
    pendingPlan: row.pending_plan,
    schedule: row.schedule,
    trialDays: row.trial_days,
    paidCycles: row.paid_cycles,
    paidPeriod: row.paid_period,
    openCycle: row.open_cycle,
    credit_centavos: row.credit_centavos,
    lastAttemptOn: row.last_attempt_on,
    lastMandateDueOn: row.last_mandate_due_on,
    endsAt: row.ends_at,
    mandate: row.mandate && toTerms(row.mandate),
  };
}

function toTerms(stored: StoredTerms): MandateTerms {
  return { ...stored, qrExpiresAt: new Date(stored.qrExpiresAt) };
}

/** The values of `BILLING_COLUMNS`. The next step follows from the billing. */
export function billingParams(subscription: Subscription): Row<typeof BILLING_TYPES> {
  const { billing } = subscription;
  const step = nextStep(billing);
  return {
    status: billing.status,
    method: billing.method,
    card_id: subscription.cardId,
    wallet_credential_id: subscription.walletCredentialId,
    payer: jsonOrNull(subscription.payer),
    offer_id: billing.plan.offerId,
    interval: billing.plan.interval,
    ladder: JSON.stringify(billing.plan.ladder),
    pending_plan: jsonOrNull(billing.pendingPlan),
    pending_upgrade: jsonOrNull(subscription.pendingUpgrade),
    schedule: JSON.stringify(billing.schedule),
    paid_cycles: billing.paidCycles,
    paid_period: jsonOrNull(billing.paidPeriod),
    open_cycle: jsonOrNull(billing.openCycle),
    credit_centavos: billing.credit_centavos,
    mandate_id: subscription.mandateId,
    mandate: jsonOrNull(billing.mandate),
    pending_mandate: jsonOrNull(subscription.pendingMandate),
    last_attempt_on: billing.lastAttemptOn,
    last_mandate_due_on: billing.lastMandateDueOn,
    latest_payment_id: subscription.latestPaymentId,
    cancellation_reason: subscription.cancellationReason,
    canceled_at: subscription.canceledAt,
    ends_at: billing.endsAt,
    ended_at: subscription.endedAt,
    due_step: step?.kind ?? null,
    due_at: step?.dueAt ?? null,
    updated_at: subscription.updatedAt,
  };
}

/** The values of `CONSTANT_COLUMNS`. */
export function constantParams(
  subscription: Subscription,
): Record<(typeof CONSTANT_COLUMNS)[number], unknown> {
  return {
    id: subscription.id,
    code: subscription.code,
    customer_id: subscription.customerId,
    mcc: subscription.mcc,
    currency: subscription.currency,
    installments: subscription.installments,
    statement_descriptor: subscription.statementDescriptor,
    processing_model: subscription.processingModel,
    description: subscription.description,
    notification_url: subscription.notificationUrl,
    items: JSON.stringify(subscription.items),
    split: subscription.split.length === 0 ? null : JSON.stringify(subscription.split),
    start_at: subscription.startAt,
    trial_days: subscription.billing.trialDays,
    best_charge_day: subscription.bestChargeDay,
    payment_link_id: subscription.paymentLinkId,
    page_offer_id: subscription.pageOfferId,
    buyer: jsonOrNull(subscription.buyer),
    created_at: subscription.createdAt,
  };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
