import { shownAmount } from './amounts.ts';
import { filled } from './filled.ts';
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
  /** Whether the payment can still change, so that a buyer who comes back to the page must see it as it is then. */
  readonly canChange: boolean;
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
    canChange: false,
  });
  const open = (title: string, content: Html, more?: Html | false): PaymentView => ({
    title,
    main: html`${live(payment, content, true)}${more}`,
    isOpen: true,
    canChange: true,
  });
  const changing = (view: PaymentView): PaymentView => ({
    ...view,
    main: live(payment, view.main, false),
    canChange: true,
  });
  switch (payment.status) {
    case 'waiting_payment': {
      const { title, main } = method.waiting(payment, words);
      const other = hasOtherWays && otherWayHtml(words, tryAgain);
      return open(title, main, other);
    }
    case 'processing': {
      const { processingTitle: title, processing } = texts;
      return open(title, noticeHtml(ICONS.clock, title, processing, WAITING));
    }
    case 'paid': {
      const { amount, refunded_amount: refunded } = payment;
      const isPartlyRefunded = refunded > 0 && refunded < amount;
      const title = isPartlyRefunded ? texts.partlyRefundedTitle : texts.paidTitle;
      const advice = isPartlyRefunded ? refundedSentence(payment, words) : texts.paid;
      return changing(closed(ICONS.done, title, advice, receiptHtml(payment, words)));
    }
    case 'authorized': {
      const { authorizedTitle: title, authorized } = texts;
      return changing(closed(ICONS.done, title, authorized, receiptHtml(payment, words)));
    }
    case 'refused':
      return closed(ICONS.wrong, texts.refusedTitle, refusalSentence(payment, words), again);
    case 'expired': {
      const { title, advice } = method.expired(words);
      // The money of a boleto can still arrive.
      return changing(closed(ICONS.clock, title, advice, again));
    }
    case 'canceled':
      return closed(ICONS.stop, texts.canceledTitle, texts.canceled, again);
    case 'refunded':
      return closed(
        ICONS.done,
        texts.refundedTitle,
        refundedSentence(payment, words),
        receiptHtml(payment, words),
      );
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

function refundedSentence({ amount, refunded_amount }: CheckoutPayment, { status, locale }: Words): string {
  return filled(status.refunded, {
    refunded: shownAmount(refunded_amount, locale),
    amount: shownAmount(amount, locale),
  });
}

const WAITING = html`<p class="waiting"><span class="spinner" aria-hidden="true"></span></p>`;

/**
 * The script of the page reloads the page when the payment differs from `data-state` and `data-amounts`. The state says
 * whether the payment has the code that the buyer copies, in the field `data-code-field`. The script follows an open
 * payment, and reads another one when the buyer comes back to the page.
 */
function live(payment: CheckoutPayment, content: Html, isOpen: boolean): Html {
  const { codeField } = methodPage(payment.payment_method);
  const readiness = hasField(payment, codeField) ? 'ready' : 'preparing';
  return html`<div id="payment" data-hash="${payment.hash}" data-state="${payment.status} ${readiness}" data-code-field="${codeField}" data-amounts="${payment.amount} ${payment.refunded_amount}"${!isOpen && html` data-settled`}>${content}</div>`;
}

/** Whether a field of the payment, such as `pix.qr_code`, is there and not null. */
function hasField(payment: CheckoutPayment, path: string): boolean {
  const [object, name] = path.split('.');
  const fields = (payment as unknown as Record<string, Record<string, unknown> | undefined>)[object!];
  return (fields?.[name!] ?? null) !== null;
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
    ...refundedRow(payment, words),
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

/** What was given back of a payment, if anything was. */
export function refundedRow(
  { refunded_amount }: Pick<CheckoutPayment, 'refunded_amount'>,
  { status, locale }: Words,
): [name: string, value: string][] {
  return refunded_amount === 0 ? [] : [[status.refundedAmount, shownAmount(refunded_amount, locale)]];
}
