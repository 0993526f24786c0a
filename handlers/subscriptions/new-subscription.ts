import type { NewSubscription } from '../../services/subscriptions/new-subscription.ts';
import type { Call } from '../http/handler.ts';
import { splitRequest } from '../orders/split-request.ts';
import { domainWords } from '../words.ts';

/** Paths in the request of the fields that the use case refuses. */
export const FIELD_NAMES = {
  amount_centavos: 'payment.amount',
  currency: 'payment.currency',
  installments: 'payment.installments',
  'payment.method': 'payment.payment_method',
  method: 'payment.payment_method',
  split: 'payment.split',
  'split.*.recipient': 'payment.split.*.recipient_id',
} as const;

const DEFAULT_CURRENCY = 'BRL';
const DEFAULT_INSTALLMENTS = 1;

type Request = Pick<Call<'createSubscription'>, 'body' | 'newId' | 'isRerun'>;

/** The request as the use case takes it. */
export function newSubscription({ body, newId, isRerun }: Request): NewSubscription {
  const { amount, currency, installments, payment_method, split = [], ...methodInputs } = body.payment;
  return {
    id: newId,
    isRerun,
    code: body.code ?? null,
    mcc: body.mcc,
    description: body.description ?? null,
    notificationUrl: body.notification_url ?? null,
    offerId: body.offer_id ?? null,
    interval: body.interval ?? null,
    startAt: body.start_at ?? null,
    bestChargeDay: body.best_charge_day ?? null,
    trialDays: body.trial_days ?? null,
    nextChargeAmount_centavos: body.next_charge_amount ?? null,
    customer: domainWords(body.customer) as NewSubscription['customer'],
    amount_centavos: amount ?? null,
    currency: currency ?? DEFAULT_CURRENCY,
    installments: installments ?? DEFAULT_INSTALLMENTS,
    payment: { method: payment_method, ...domainWords(methodInputs) },
    split: split.map(splitRequest),
    items: body.items ?? [],
  };
}
