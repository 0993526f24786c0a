import { fieldHtml, selectHtml } from './fields.ts';
import type { FormState } from './form-state.ts';
import { installmentOptionText } from './installment-words.ts';
import { type Html, html } from './markup.ts';
import { methodPage } from './methods/index.ts';
import type { Checkout } from './page-frame.ts';
import type { Words } from './words/words.ts';

type Method = Checkout['payment_methods'][number];

/** What a card needs. Without the script, only the sentence is shown that says so. */
export function cardPanel(checkout: Checkout, words: Words, state: FormState, method: Method): Html {
  const hasInstallments = methodPage(method).needs.installments;
  return html`<p class="needs-script">${words.methodNotes.cardNeedsScript}</p>
<div class="card-place" hidden>${isFirstCard(checkout, method) && cardHtml(words)}${hasInstallments && installmentsHtml(checkout, words, state)}</div>`;
}

/** Credit and debit cards have the same fields. The script moves them to the method that is chosen. */
function isFirstCard({ payment_methods }: Checkout, method: Method): boolean {
  return payment_methods.find((each) => methodPage(each).needs.card) === method;
}

/** No input has a name, so no form can send a card to the server. */
export function cardHtml(words: Words): Html {
  const { labels, hints } = words;
  return html`<div class="card" id="card">${fieldHtml({ id: 'card-number', label: labels.cardNumber, inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 23 })}<span id="card-brand" class="brand" aria-hidden="true"></span>
<div class="pair">${fieldHtml({ id: 'card-expiry', label: labels.cardExpiry, inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 7, placeholder: hints.cardExpiry })}${fieldHtml({ id: 'card-code', label: labels.cardCode, inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4, placeholder: hints.cardCode })}</div>
${fieldHtml({ id: 'card-holder', label: labels.cardHolder, autocomplete: 'cc-name', maxlength: 191 })}
<p class="hint">${words.methodNotes.card}</p></div>`;
}

/** A page with a typed amount gets its options when the amount is typed. */
function installmentsHtml(
  { installments, max_installments }: Checkout,
  words: Words,
  state: FormState,
): Html | null {
  if (max_installments === 1) return null;
  const texts = { ...words.installments, locale: words.locale };
  const options = installments.map((choice) => ({
    value: String(choice.installments),
    text: installmentOptionText(choice, texts),
  }));
  const problem = state.wrong.includes('installments') ? words.problems.installments : undefined;
  const field = { id: 'installments', label: words.labels.installments, value: '1', problem };
  return html`<div>${selectHtml(field, options)}<p class="hint" id="installment-details" role="status"></p></div>`;
}
