import { shownAmount } from './amounts.ts';
import { cardName } from './card-name.ts';
import { filled } from './filled.ts';
import { type Html, html } from './markup.ts';
import type { CheckoutPayment } from './methods/method.ts';
import type { CheckoutSubscription } from './operations.ts';
import { type Checkout, ICONS, noticeHtml } from './page-frame.ts';
import { type PaymentView, paymentView, refundedRow } from './payment-page.ts';
import { shortDay, shownTime } from './payment-parts.ts';
import type { Words } from './words/words.ts';

const FAILED: readonly CheckoutPayment['status'][] = ['refused', 'canceled', 'expired'];

type Named = Pick<Checkout, 'merchant_name'>;

/** What the buyer sees of a subscription. `subscribeAgain`: the path of the page where it was started. */
export function subscriptionView(
  subscription: CheckoutSubscription,
  checkout: Named,
  words: Words,
  subscribeAgain: string,
): PaymentView {
  const { status, payment } = subscription;
  const { subscription: texts } = words;
  const isPaid = payment === null || ['paid', 'refunded'].includes(payment.status);
  // While it is pending, a charge that has failed is followed by one with what the merchant gave instead.
  const isFollowed = status === 'payment_pending' && payment !== null && FAILED.includes(payment.status);
  const isUnpaid = (status === 'payment_pending' || status === 'ended') && !isFollowed;
  if (isUnpaid && !isPaid) return paymentView(payment, words, subscribeAgain);
  if (payment?.status === 'waiting_payment') return paymentView(payment, words, subscribeAgain);
  const merchant = checkout.merchant_name;
  const again = html`<p><a class="pay" href="${subscribeAgain}">${texts.again}</a></p>`;
  const facts = factsHtml(subscription, words);
  const wasRefunded = payment !== null && payment.refunded_amount > 0;
  const cancel = html`<p class="hint">${filled(texts.cancel, { merchant })}</p>`;
  const closed = (icon: Html, title: string, advice: string, more: Html): PaymentView => ({
    title,
    main: noticeHtml(icon, title, filled(advice, { merchant }), more),
    isOpen: false,
    canChange: false,
  });
  switch (status) {
    case 'active':
    case 'payment_approved':
      return closed(ICONS.done, texts.activeTitle, texts.active, html`${facts}${cancel}`);
    case 'trial_started':
      return closed(ICONS.done, texts.trialTitle, texts.trial, html`${facts}${cancel}`);
    case 'payment_pending':
      return closed(ICONS.clock, texts.pendingTitle, texts.pending, facts);
    case 'past_due':
    case 'payment_refused':
    case 'unpaid':
      return closed(ICONS.wrong, texts.overdueTitle, texts.overdue, facts);
    case 'canceled':
      return closed(
        ICONS.stop,
        texts.canceledTitle,
        subscription.ends_at === null ? texts.canceledUnpaid : texts.canceled,
        facts,
      );
    case 'ended':
      return closed(ICONS.stop, texts.endedTitle, texts.ended, html`${wasRefunded && facts}${again}`);
    case 'completed':
      return closed(ICONS.done, texts.completedTitle, texts.completed, facts);
  }
}

function factsHtml(subscription: CheckoutSubscription, words: Words): Html {
  const { payment, next_charge_at: nextOn, next_charge_amount: next, ends_at, credit_card } = subscription;
  const { subscription: texts, status, locale } = words;
  const onDay = (amount: number, date: string) =>
    filled(texts.plan, { amount: shownAmount(amount, locale), date });
  const rows: [string, string][] = [];
  if (payment?.status === 'paid') {
    rows.push([texts.latest, onDay(payment.amount, shownTime(payment.paid_at ?? payment.updated_at, words))]);
  }
  if (payment !== null) rows.push(...refundedRow(payment, words));
  if (nextOn !== null && next !== null) rows.push([texts.next, onDay(next, shortDay(nextOn, words))]);
  if (ends_at !== null) rows.push([texts.access, shownTime(ends_at, words)]);
  if (credit_card !== null) {
    rows.push([status.method, cardName(credit_card)]);
  }
  rows.push([status.reference, subscription.hash]);
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
