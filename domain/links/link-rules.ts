import { SUBSCRIPTION_METHODS, startsSubscriptions } from './link-methods.ts';
import type { PaymentLinkSettings } from './payment-link.ts';

/** A broken rule between fields, with the field to change. */
export interface LinkProblem {
  readonly field:
    | 'amount_centavos'
    | 'paymentMethods'
    | 'interestFreeInstallments'
    | 'recurrenceInterval'
    | 'recurrenceTrialDays';
  readonly sentence: string;
}

/**
 * All rules between fields that a payment link breaks (contract row 6.3). The contract's schema checks single fields.
 */
export function linkProblems(link: PaymentLinkSettings): LinkProblem[] {
  const problems: LinkProblem[] = [];
  const add = (field: LinkProblem['field'], sentence: string) => problems.push({ field, sentence });
  const isFixed = link.amountType === 'fixed';
  if (isFixed && link.amount_centavos === null) add('amount_centavos', 'This field is required.');
  if (!isFixed && link.amount_centavos !== null) {
    add('amount_centavos', 'The buyer types the amount of this link.');
  }
  if (new Set(link.paymentMethods).size < link.paymentMethods.length) {
    add('paymentMethods', 'Must not hold the same item twice.');
  }
  if (link.interestFreeInstallments > link.maxInstallments) {
    add(
      'interestFreeInstallments',
      `Must be at most ${link.maxInstallments}, the largest number of installments.`,
    );
  }
  if (link.recurrenceInterval !== null && !isFixed) {
    add('recurrenceInterval', 'A recurring link needs a fixed amount.');
  }
  if (link.recurrenceInterval !== null && !startsSubscriptions(link.paymentMethods)) {
    const methods = SUBSCRIPTION_METHODS.join(' or ');
    add('recurrenceInterval', `A recurring link needs ${methods} among its payment methods.`);
  }
  if (link.recurrenceTrialDays !== null && link.recurrenceInterval === null) {
    add('recurrenceTrialDays', 'Only a recurring link has free days.');
  }
  return problems;
}
