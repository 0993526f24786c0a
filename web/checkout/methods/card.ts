import { cardName } from '../card-name.ts';
import { html } from '../markup.ts';
import { drawnIcon, type MethodPage } from './method.ts';

/** Credit and debit cards. A payment by card does not wait for its buyer. */
export const card: MethodPage = {
  icon: drawnIcon(html`<rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="M2.5 10h19M6 15h4"/>`),
  note: ({ methodNotes }) => methodNotes.card,
  means(payment) {
    const card = payment[payment.payment_method as 'credit_card' | 'debit_card'];
    return card === undefined ? null : cardName(card);
  },
  isReady: () => false,
  expired: ({ status }) => ({ title: status.refusedTitle, advice: status.expired }),
  waiting: (_payment, { status }) => ({
    title: status.processingTitle,
    main: html`<p>${status.processing}</p>`,
  }),
};
