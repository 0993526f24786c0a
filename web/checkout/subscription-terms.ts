import { shownAmount } from './amounts.ts';
import { counted, filled } from './filled.ts';
import { type Html, html } from './markup.ts';
import type { Checkout } from './page-frame.ts';
import { shortDay } from './payment-parts.ts';
import type { Words } from './words/words.ts';

type Recurrence = NonNullable<Checkout['recurrence']>;

/** Every price of a subscription with the day from which it is charged, and when the subscription ends. */
export function termsHtml({ trial_days, price_bands, interval }: Recurrence, words: Words): Html {
  const { subscription: texts, locale } = words;
  const priceOf = (amount: number) =>
    amount === 0
      ? texts.free
      : filled(texts.price, { amount: shownAmount(amount, locale), interval: words.intervals[interval]! });
  const rows = price_bands.map(({ amount, first_charge_on: day }, at) => {
    const isToday = at === 0 && trial_days === 0;
    const from = day === null ? '…' : filled(texts.from, { date: shortDay(day, words) });
    return [isToday ? texts.today : from, priceOf(amount)];
  });
  if (trial_days > 0) rows.unshift([texts.today, texts.free]);
  const charges = chargesUntilEnd(price_bands);
  const day = chargeDay({ interval, price_bands });
  return html`<dl class="terms">${rows.map(([when, price]) => html`<div><dt>${when}</dt><dd>${price}</dd></div>`)}</dl>
${day !== null && html`<p class="hint">${filled(day > 28 ? texts.lastDay : texts.monthDay, { day: String(day) })}</p>`}
${charges > 0 && html`<p class="hint">${counted(texts.total, charges)}</p>`}`;
}

/** How often the card is charged until the subscription ends, without free cycles; 0 if it does not end. */
function chargesUntilEnd(bands: Recurrence['price_bands']): number {
  if (bands.at(-1)!.end === null) return 0;
  return bands.reduce((count, { start, end, amount }) => count + (amount === 0 ? 0 : end! - start + 1), 0);
}

/** The day of the month on which a monthly subscription is charged; null for other intervals. */
function chargeDay({ interval, price_bands }: Pick<Recurrence, 'interval' | 'price_bands'>): number | null {
  const first = price_bands[0]?.first_charge_on ?? null;
  return interval === 'monthly' && first !== null ? Number(first.slice(8)) : null;
}

/** What the buyer agrees to, and how to cancel. */
export function consentHtml({ merchant_name: merchant, recurrence }: Checkout, words: Words): Html {
  const { consent, consentLater, cancel } = words.subscription;
  return html`<p class="hint consent">${filled(isFreeAtFirst(recurrence!) ? consentLater : consent, { merchant })} ${filled(cancel, { merchant })}</p>`;
}

/** The text of the button with which the buyer subscribes. */
export function subscribeText(recurrence: Recurrence, words: Words): string {
  const { subscribe, startTrial } = words.subscription;
  if (isFreeAtFirst(recurrence)) return startTrial;
  return filled(subscribe, { amount: shownAmount(recurrence.price_bands[0]!.amount, words.locale) });
}

/** Whether nothing is charged now: there is a trial, or the first cycle is free. */
function isFreeAtFirst({ trial_days, price_bands }: Recurrence): boolean {
  return trial_days > 0 || price_bands[0]!.amount === 0;
}
