import type { components } from '../../../generated/types.ts';
import { type Html, html } from '../markup.ts';
import type { Words } from '../words/words.ts';
import type { MethodNeeds } from './needs.ts';

export type CheckoutPayment = components['schemas']['CheckoutPayment'];
export type CheckoutMethod = CheckoutPayment['payment_method'];

/** A payment that the buyer has to pay. */
export interface WaitingView {
  readonly title: string;
  readonly main: Html;
}

/** A payment whose time is over: a title, and what the buyer can do. */
export interface ExpiredView {
  readonly title: string;
  readonly advice: string;
}

/** What the pages show of a payment method. */
export interface MethodPage {
  readonly name: Readonly<Record<Words['language'], string>>;
  readonly icon: Html;
  readonly needs: MethodNeeds;
  /** A sentence about the method in the form. */
  note(words: Words): string;
  /** What the buyer paid with, such as the card; null if it has no name of its own. */
  means(payment: CheckoutPayment): string | null;
  /**
   * The field of a payment with the code that the buyer copies, null until the acquirer has registered what the buyer
   * has to pay. Empty if the method has none.
   */
  readonly codeField: `${CheckoutMethod}.${string}` | '';
  /** What became of a payment that was refused; null if its refusal says why, as that of a card does. */
  refused(words: Words): string | null;
  /** A payment whose time is over. */
  expired(words: Words): ExpiredView;
  /** The payment while the buyer has to pay it. */
  waiting(payment: CheckoutPayment, words: Words): WaitingView;
}

export function drawnIcon(paths: Html): Html {
  return html`<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
}
