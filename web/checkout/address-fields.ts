import { fieldHtml, selectHtml } from './fields.ts';
import type { Field } from './form-body.ts';
import { type FormState, named } from './form-state.ts';
import { type Html, html } from './markup.ts';
import { methodPage } from './methods/index.ts';
import type { Checkout } from './page-frame.ts';
import type { Words } from './words/words.ts';

type Input = Parameters<typeof fieldHtml>[0];

const STATES = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

/**
 * The address of the buyer, postal code first. If only boletos need it, the style shows it while a boleto is chosen.
 */
export function addressHtml(
  { require_address, payment_methods }: Checkout,
  words: Words,
  state: FormState,
): Html | null {
  if (!require_address && !payment_methods.some((method) => methodPage(method).needs.address)) return null;
  const field = (name: Field, more: Partial<Input>) =>
    fieldHtml({ ...named(name, words, state), maxlength: 255, ...more });
  const states = ['', ...STATES].map((code) => ({
    value: code,
    text: code === '' ? words.page.choose : code,
  }));
  return html`<section class="${require_address ? '' : 'for-boleto'}"><h2>${words.page.address}</h2>
<div class="grid address">${field('postal_code', { inputmode: 'numeric', autocomplete: 'postal-code', maxlength: 9, className: 'short' })}
${field('street', { autocomplete: 'address-line1', className: 'wide' })}
${field('number', { maxlength: 60, className: 'short' })}
${field('complement', { autocomplete: 'address-line2', optional: words.page.optional })}
${field('neighborhood', { autocomplete: 'address-level3' })}
${field('city', { autocomplete: 'address-level2' })}
${selectHtml({ ...named('state', words, state), autocomplete: 'address-level1', className: 'short' }, states)}</div></section>`;
}
