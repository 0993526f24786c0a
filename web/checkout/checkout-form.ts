import { addressHtml } from './address-fields.ts';
import { shownAmount } from './amounts.ts';
import { cardPanel } from './card-panel.ts';
import { fieldHtml } from './fields.ts';
import { type FormState, named } from './form-state.ts';
import { type Html, html, jsonData } from './markup.ts';
import { methodPage, NEEDS } from './methods/index.ts';
import type { Checkout } from './page-frame.ts';
import { consentHtml, subscribeText } from './subscription-terms.ts';
import type { Words } from './words/words.ts';

type Method = Checkout['payment_methods'][number];

/** The form in which a buyer pays. It works without scripts, except for cards. */
export function checkoutForm(checkout: Checkout, words: Words, state: FormState): Html {
  const { payment_methods: methods, recurrence } = checkout;
  const chosen = methods.find((method) => method === state.values.payment_method) ?? methods[0]!;
  return html`<form id="checkout" method="post" action="" autocomplete="on">
<input type="hidden" name="key" value="${state.key}">
${checkout.amount !== null && html`<input type="hidden" name="price" value="${checkout.amount}">`}
${recurrence === null && openPaymentHtml(words)}
<div id="failure" class="failure" role="alert" tabindex="-1">${state.failure}</div>
${recurrence && html`<input type="hidden" name="terms" value="${recurrence.terms}">`}
${checkout.amount === null && amountHtml(words, state)}
<section><h2>${words.page.contact}</h2><div class="grid">${contactHtml(checkout, words, state)}</div></section>
<section><h2 id="methods">${words.page.payment}</h2>
<div class="methods" id="payment_method" role="radiogroup" tabindex="-1" aria-labelledby="methods" aria-describedby="payment_method-problem">${methods.map((method) => methodHtml(checkout, words, state, method, method === chosen))}</div>
<p class="problem" id="payment_method-problem">${state.wrong.includes('payment_method') && words.problems.payment_method}</p>
</section>
${addressHtml(checkout, words, state)}
<button class="pay" type="submit"><span id="pay-text">${payText(checkout, words)}</span></button>
${recurrence && consentHtml(checkout, words)}
</form>
${jsonData('checkout-data', clientData(checkout, words))}`;
}

/** The script shows it, with one of the two sentences, if this browser has made a payment here. */
export function openPaymentHtml({ page }: Words): Html {
  return html`<p id="open-payment" class="open" role="status" data-open="${page.openPayment}" data-paid="${page.paidHere}" hidden><span></span> <a href="">${page.seePayment}</a></p>`;
}

function payText({ amount, recurrence }: Checkout, words: Words): string {
  if (recurrence !== null) return subscribeText(recurrence, words);
  return amount === null ? words.page.pay : `${words.page.pay} ${shownAmount(amount, words.locale)}`;
}

/** What the script of the page needs. */
function clientData(checkout: Checkout, words: Words) {
  const { hash, amount, collect_phone, require_address, installments, card_encryption_key } = checkout;
  const { payment_methods: methods, recurrence } = checkout;
  const hasCard = methods.some((method) => methodPage(method).needs.card);
  return {
    hash,
    rules: { amount, collect_phone, require_address, language: words.language, needs: NEEDS },
    /** Null if the buyer pays once. */
    subscription: recurrence && { terms: recurrence.terms, text: subscribeText(recurrence, words) },
    installments,
    key: hasCard ? card_encryption_key.jwk : null,
    words: {
      locale: words.locale,
      pay: words.page.pay,
      paying: words.page.paying,
      problems: words.problems,
      failures: words.failures,
      refusals: words.refusals,
      refused: Object.fromEntries(methods.map((method) => [method, methodPage(method).refused(words)])),
      installments: words.installments,
    },
  };
}

function amountHtml(words: Words, state: FormState): Html {
  return html`<section><h2>${words.page.amountToPay}</h2>${fieldHtml({ ...named('amount', words, state), inputmode: 'decimal', maxlength: 24, placeholder: shownAmount(0, words.locale), autocomplete: 'transaction-amount', className: 'amount', required: true })}<p class="hint">${words.page.least}</p></section>`;
}

function contactHtml({ collect_phone }: Checkout, words: Words, state: FormState): Html[] {
  return [
    fieldHtml({
      ...named('email', words, state),
      type: 'email',
      autocomplete: 'email',
      maxlength: 191,
      placeholder: words.hints.email,
      required: true,
    }),
    fieldHtml({ ...named('name', words, state), autocomplete: 'name', maxlength: 191, required: true }),
    ...(collect_phone
      ? [
          fieldHtml({
            ...named('phone', words, state),
            type: 'tel',
            autocomplete: 'tel-national',
            maxlength: 20,
            placeholder: words.hints.phone,
            required: true,
          }),
        ]
      : []),
  ];
}

/** A method: a radio button, and below it what the method needs, shown by the style while it is chosen. */
function methodHtml(
  checkout: Checkout,
  words: Words,
  state: FormState,
  method: Method,
  isChosen: boolean,
): Html {
  const { icon, name, needs } = methodPage(method);
  return html`<div class="method"><input type="radio" name="payment_method" id="method-${method}" value="${method}"${isChosen && html` checked`}><label for="method-${method}">${icon}<span>${name[words.language]}${needs.installments && mostInstallmentsHtml(checkout, words)}</span></label>
<div class="panel" data-method="${method}">${panelHtml(checkout, words, state, method)}</div></div>`;
}

/** So that a buyer sees the offer before the card is chosen. */
function mostInstallmentsHtml({ installments, max_installments }: Checkout, words: Words): Html | null {
  const most = installments.at(-1)?.installments ?? max_installments;
  if (most === 1) return null;
  return html` <small class="hint">${words.installments.most.replace('{count}', String(most))}</small>`;
}

function panelHtml(checkout: Checkout, words: Words, state: FormState, method: Method): Html {
  const { needs, note } = methodPage(method);
  if (needs.card) return cardPanel(checkout, words, state, method);
  const document = { ...named('document', words, state), maxlength: 20 };
  return html`<p>${note(words)}</p>${needs.document && fieldHtml(document)}`;
}
