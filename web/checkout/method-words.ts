import { methodPage } from './methods/index.ts';
import type { Checkout } from './page-frame.ts';
import type { Words } from './words/words.ts';

/** The words of a page with these methods: if all of them are cards, no sentence names another way to pay. */
export function methodWords({ payment_methods }: Pick<Checkout, 'payment_methods'>, words: Words): Words {
  if (payment_methods.some((method) => !methodPage(method).needs.card)) return words;
  const { cardNeedsScript, failures, refusals } = words.onlyCards;
  return {
    ...words,
    methodNotes: { ...words.methodNotes, cardNeedsScript },
    failures: { ...words.failures, ...failures },
    refusals: { ...words.refusals, ...refusals },
  };
}
