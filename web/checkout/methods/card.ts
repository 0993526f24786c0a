import type { components } from '../../../generated/types.ts';
import { cardName } from '../card-name.ts';
import { html } from '../markup.ts';
import { type CheckoutMethod, type CheckoutPayment, drawnIcon, type MethodPage } from './method.ts';
import { NOTHING } from './needs.ts';

/** The methods whose object is a card. */
type CardMethod = {
  [M in CheckoutMethod]: components['schemas']['CheckoutPaymentCard'] extends CheckoutPayment[M] ? M : never;
}[CheckoutMethod];

/** A method that charges a card. Its payment does not wait for its buyer. */
export function card(
  name: MethodPage['name'],
  { installments }: Pick<MethodPage['needs'], 'installments'>,
): MethodPage {
  return {
    name,
    icon: drawnIcon(html`<rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="M2.5 10h19M6 15h4"/>`),
    needs: { ...NOTHING, card: true, installments },
    note: ({ methodNotes }) => methodNotes.card,
    means(payment) {
      const card = payment[payment.payment_method as CardMethod];
      return card === undefined ? null : cardName(card);
    },
    codeField: '',
    refused: () => null,
    expired: ({ status }) => ({ title: status.refusedTitle, advice: status.expired }),
    waiting: (_payment, { status }) => ({
      title: status.processingTitle,
      main: html`<p>${status.processing}</p>`,
    }),
  };
}
