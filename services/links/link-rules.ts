import { linkProblems } from '../../domain/links/link-rules.ts';
import type { PaymentLinkSettings } from '../../domain/links/payment-link.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { hasSubscriptions, NO_SUBSCRIPTIONS } from '../../domain/merchants/plans.ts';
import { type Deps, now } from '../deps.ts';
import type { Violations } from '../refusal.ts';
import { destinationProblem } from '../webhooks/check-destination.ts';
import { destinationRuleProblem } from '../webhooks/destination-rules.ts';

/**
 * Adds violations of the sent fields: methods and subscriptions that the account does not have, an expiry in the past,
 * addresses that are not public, receipts without a mail server. It looks up the host of `notificationUrl`, so do not
 * call it inside a transaction.
 */
export async function checkSent(
  deps: Deps,
  merchant: Merchant,
  violations: Violations,
  sent: Partial<PaymentLinkSettings>,
): Promise<void> {
  sent.paymentMethods?.forEach((method, index) => {
    if (merchant.paymentMethods.includes(method)) return;
    violations.add(
      `paymentMethods.${index}`,
      `The payment method ${method} is not enabled for your account.`,
    );
  });
  if (sent.recurrenceInterval && !hasSubscriptions(merchant)) {
    violations.add('recurrenceInterval', NO_SUBSCRIPTIONS);
  }
  if (sent.expiresAt && sent.expiresAt <= now(deps, merchant)) {
    violations.add('expiresAt', 'Must be in the future.');
  }
  if (sent.sendEmailReceipt === true && deps.environment === 'production' && deps.mailer === null) {
    violations.add(
      'sendEmailReceipt',
      'No e-mail can be sent: the service is not connected to a mail server.',
    );
  }
  await checkAddresses(deps, merchant, violations, sent);
}

/** The logo's host is looked up when the logo is fetched. */
async function checkAddresses(
  deps: Deps,
  merchant: Merchant,
  violations: Violations,
  { notificationUrl, logoUrl }: Partial<PaymentLinkSettings>,
): Promise<void> {
  const logo = logoUrl && destinationRuleProblem(logoUrl, { allowPrivate: deps.allowPrivateDestinations });
  if (logo) violations.add('logoUrl', logo);
  const problem = notificationUrl && (await destinationProblem(deps, merchant.merchantId, notificationUrl));
  if (problem) violations.add('notificationUrl', problem);
}

/** Adds a violation for each rule between fields that the whole link breaks. */
export function checkLink(violations: Violations, link: PaymentLinkSettings): void {
  for (const { field, sentence } of linkProblems(link)) violations.add(field, sentence);
}
