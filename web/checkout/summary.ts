import { shownAmount } from './amounts.ts';
import { counted } from './filled.ts';
import { type Html, html } from './markup.ts';
import { type Checkout, merchantHtml } from './page-frame.ts';
import { termsHtml } from './subscription-terms.ts';
import type { Words } from './words/words.ts';

/** What is paid, and to whom. The script changes the total when the buyer chooses installments with interest. */
export function summaryHtml(checkout: Checkout, words: Words): Html {
  const { title, description, amount, recurrence_interval, trial_days, recurrence } = checkout;
  // The terms below say that the first cycles are free.
  const price = amount === null || amount === 0 ? null : shownAmount(amount, words.locale);
  const interval = recurrence_interval === null ? null : words.intervals[recurrence_interval];
  return html`${merchantHtml(checkout, words)}
<h1>${title}</h1>
${price !== null && html`<p class="price">${trial_days > 0 && html`<small>${counted(words.trial, trial_days)}</small>`}<strong id="price">${price}</strong>${interval && html` <span>${interval}</span>`}</p>`}
${description && html`<p class="about">${description}</p>`}
${recurrence && termsHtml(recurrence, words)}
<dl id="totals" class="totals" hidden><div><dt>${words.page.interest}</dt><dd id="interest"></dd></div><div class="sum"><dt>${words.page.total}</dt><dd id="total"></dd></div></dl>`;
}
