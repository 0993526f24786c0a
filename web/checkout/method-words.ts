import { methodPage } from './methods/index.ts';
import type { Checkout } from './page-frame.ts';
import type { Words } from './words/words.ts';

type Methods = Pick<Checkout, 'payment_methods'>;

/** The words of a page with these methods: if all of them are cards, no sentence names another way to pay. */
export function methodWords(checkout: Methods, words: Words): Words {
  if (!hasOnlyCards(checkout)) return words;
  const { cardNeedsScript, failures, refusals } = words.onlyCards;
  return {
    ...words,
    methodNotes: { ...words.methodNotes, cardNeedsScript },
    failures: { ...words.failures, ...failures },
    refusals: { ...words.refusals, ...refusals },
  };
}

export function hasOnlyCards({ payment_methods }: Methods): boolean {
  return payment_methods.every((method) => methodPage(method).needs.card);
}
