import { shownAmount } from './amounts.ts';
import { paidInstallments } from './installment-words.ts';
import { type Html, html } from './markup.ts';
import { methodPage } from './methods/index.ts';
import type { CheckoutPayment } from './methods/method.ts';
import { ICONS, noticeHtml } from './page-frame.ts';
import { shownTime } from './payment-parts.ts';
import type { Words } from './words/words.ts';

/** A payment of a buyer as a page part: its title, its HTML, and whether something is still to happen. */
export interface PaymentView {
  readonly title: string;
  readonly main: Html;
  /** The page follows the payment. */
  readonly isOpen: boolean;
}

/**
 * What the buyer sees of a payment. `tryAgain`: the path of the page where it was made. `hasOtherWays`: that page has
 * other methods.
 */
export function paymentView(
  payment: CheckoutPayment,
  words: Words,
  tryAgain: string,
  hasOtherWays = false,
): PaymentView {
  const { status: texts } = words;
  const method = methodPage(payment.payment_method);
  const again = html`<p><a class="pay" href="${tryAgain}">${texts.tryAgain}</a></p>`;
  const closed = (icon: Html, title: string, advice: string, more?: Html): PaymentView => ({
    title,
    main: noticeHtml(icon, title, advice, more),
    isOpen: false,
  });
  switch (payment.status) {
    case 'waiting_payment': {
      const { title, main } = method.waiting(payment, words);
      const other = hasOtherWays && otherWayHtml(words, tryAgain);
      return { title, main: html`${live(payment, main)}${other}`, isOpen: true };
    }
    case 'processing':
      return {
        title: texts.processingTitle,
        main: live(payment, noticeHtml(ICONS.clock, texts.processingTitle, texts.processing, WAITING)),
        isOpen: true,
      };
    case 'paid':
      return closed(ICONS.done, texts.paidTitle, texts.paid, receiptHtml(payment, words));
    case 'authorized':
      return closed(ICONS.done, texts.authorizedTitle, texts.authorized, receiptHtml(payment, words));
    case 'refused':
      return closed(ICONS.wrong, texts.refusedTitle, refusalSentence(payment, words), again);
    case 'expired': {
      const { title, advice } = method.expired(words);
      return closed(ICONS.clock, title, advice, again);
    }
    case 'canceled':
      return closed(ICONS.stop, texts.canceledTitle, texts.canceled, again);
    case 'refunded':
      return closed(ICONS.done, texts.refundedTitle, texts.refunded, receiptHtml(payment, words));
  }
}

/** Another way is another payment: this one can still be paid. */
function otherWayHtml({ status: texts }: Words, path: string): Html {
  return html`<p class="other"><a href="${path}">${texts.otherWay}</a> <span class="hint">${texts.otherWayNote}</span></p>`;
}

/** Why a payment was refused, for its buyer. */
function refusalSentence({ payment_method, refusal }: CheckoutPayment, words: Words): string {
  const sentences: Readonly<Record<string, string>> = words.refusals;
  const ofMethod = methodPage(payment_method).refused(words);
  return ofMethod ?? sentences[refusal?.code ?? 'other'] ?? words.refusals.other;
}

const WAITING = html`<p class="waiting"><span class="spinner" aria-hidden="true"></span></p>`;

/** The script of the page follows the payment, and reloads the page when it differs from `data-state`. */
function live(payment: CheckoutPayment, content: Html): Html {
  return html`<div id="payment" data-hash="${payment.hash}" data-state="${payment.status} ${methodPage(payment.payment_method).isReady(payment) ? 'ready' : 'preparing'}">${content}</div>`;
}

/** A receipt has the time of the payment, or of a refund of all of it. */
function dateOf({ status, paid_at, updated_at }: CheckoutPayment): string {
  return status === 'refunded' ? updated_at : (paid_at ?? updated_at);
}

function receiptHtml(payment: CheckoutPayment, words: Words): Html {
  const { status: texts, locale } = words;
  const { name, means: meansOf } = methodPage(payment.payment_method);
  const means = meansOf(payment);
  const method = `${name[words.language]}${means === null ? '' : ` ${means}`}`;
  const rows: [string, string][] = [
    [texts.amount, shownAmount(payment.amount, locale)],
    ...(payment.installments > 1
      ? [
          [texts.installments, paidInstallments(payment, { ...words.installments, locale })] as [
            string,
            string,
          ],
        ]
      : []),
    [texts.method, method],
    ...(payment.statement_descriptor === null
      ? []
      : [[texts.statement, payment.statement_descriptor] as [string, string]]),
    [texts.date, shownTime(dateOf(payment), words)],
    [texts.reference, payment.hash],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
