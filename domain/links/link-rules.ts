import { SUBSCRIPTION_METHODS, startsSubscriptions } from './link-methods.ts';
import type { PaymentLinkSettings } from './payment-link.ts';

/** A broken rule between fields, with the field to change. */
export interface LinkProblem {
  readonly field:
    | 'amount_centavos'
    | 'paymentMethods'
    | 'cardCapture'
    | 'maxInstallments'
    | 'interestMode'
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
    add('paymentMethods', 'Must not contain the same item twice.');
  }
  if (link.interestFreeInstallments > link.maxInstallments) {
    add(
      'interestFreeInstallments',
      `Must be at most ${link.maxInstallments}, the largest number of installments.`,
    );
  }
  if (link.recurrenceInterval !== null) problems.push(...recurringProblems(link));
  else if (link.recurrenceTrialDays !== null) {
    add('recurrenceTrialDays', 'Only a recurring link has free days.');
  }
  return problems;
}

/**
 * The rules of a link that starts subscriptions. Each charge of a subscription is captured at once, in one installment.
 */
function recurringProblems(link: PaymentLinkSettings): LinkProblem[] {
  const problems: LinkProblem[] = [];
  const add = (field: LinkProblem['field'], sentence: string) => problems.push({ field, sentence });
  if (link.amountType !== 'fixed') add('recurrenceInterval', 'A recurring link needs a fixed amount.');
  if (!startsSubscriptions(link.paymentMethods)) {
    const methods = SUBSCRIPTION_METHODS.join(' or ');
    add('recurrenceInterval', `A recurring link needs ${methods} among its payment methods.`);
  }
  if (!link.cardCapture) add('cardCapture', 'A recurring link charges cards at once.');
  if (link.maxInstallments > 1) add('maxInstallments', 'A recurring link has one installment.');
  if (link.interestMode !== 'none') add('interestMode', 'A recurring link has no interest.');
  return problems;
}
