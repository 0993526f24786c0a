/**
 * Background jobs that a test runs until nothing is due. Each throws `DatabaseUnavailable` while the database is down.
 */
import type { MerchantScope } from '../../domain/scope.ts';
import { networkTokens } from '../../jobs/cards/network-tokens.ts';
import { expiredSecurityCodes } from '../../jobs/cards/security-codes.ts';
import { abandonedAdvances } from '../../jobs/clock/advances.ts';
import { openEvidence } from '../../jobs/disputes/reconcile-evidence.ts';
import { type DueSteps, dueSteps } from '../../jobs/due-steps.ts';
import { dueEmails } from '../../jobs/emails/send-emails.ts';
import { pastBalances } from '../../jobs/ledger/fold-balances.ts';
import { expiredLinks } from '../../jobs/links/expired-links.ts';
import { dueLogos } from '../../jobs/links/logos.ts';
import { MANDATE_CANCELLATIONS } from '../../jobs/payments/cancel-mandates.ts';
import { differencesToInquire } from '../../jobs/payments/inquire-differences.ts';
import { PAYMENT_STEPS } from '../../jobs/payments/payment-steps.ts';
import { paymentsWithoutEntries } from '../../jobs/payments/post-missing-entries.ts';
import { unreconciledDays } from '../../jobs/payments/reconcile-days.ts';
import { openOperations } from '../../jobs/payments/reconcile-operations.ts';
import { BILLING_STEPS } from '../../jobs/subscriptions/billing-steps.ts';
import { walletDomainsToCheck } from '../../jobs/wallet/check-domains.ts';
import { eventsToFanOut } from '../../jobs/webhooks/fan-out.ts';
import { type Work, WorkLoop } from '../../jobs/work-loop.ts';
import type { Deps } from '../../services/deps.ts';

type FewDeps = Pick<Deps, 'db' | 'wall' | 'log'>;

/** Returns how many items were claimed. */
async function claimAll<Item extends MerchantScope>(deps: FewDeps, work: Work<Item>): Promise<number> {
  return (await new WorkLoop(deps, work).runToEnd()).claimed;
}

/** Returns how many items had a result. */
async function doAll<Item extends MerchantScope>(deps: FewDeps, work: Work<Item>): Promise<number> {
  return (await new WorkLoop(deps, work).runToEnd()).done;
}

export const fetchDueTokens = (deps: Deps) => claimAll(deps, networkTokens(deps));
export const deleteExpiredSecurityCodes = (deps: FewDeps) => claimAll(deps, expiredSecurityCodes(deps));
export const sendDueEmails = (deps: Deps) => claimAll(deps, dueEmails(deps));
export const foldPastBalances = (deps: FewDeps) => claimAll(deps, pastBalances(deps));
export const fetchDueLogos = (deps: Deps) => claimAll(deps, dueLogos(deps));
export const markExpiredLinks = (deps: FewDeps) => claimAll(deps, expiredLinks(deps));
export const reconcileOperations = (deps: Deps) => claimAll(deps, openOperations(deps));
export const reconcileEvidence = (deps: Deps) => claimAll(deps, openEvidence(deps));
export const checkDueWalletDomains = (deps: Deps) => claimAll(deps, walletDomainsToCheck(deps));
export const postMissingEntries = (deps: Deps) => doAll(deps, paymentsWithoutEntries(deps));
export const resumeAdvances = (deps: Deps) => doAll(deps, abandonedAdvances(deps));
export const reconcileDays = (deps: Deps) => doAll(deps, unreconciledDays(deps));
export const inquireDifferences = (deps: Deps) => doAll(deps, differencesToInquire(deps));
export const fanOutEvents = (deps: Deps) => doAll(deps, eventsToFanOut(deps));

/** Runs all steps that are due now. Returns how many, of which one item can have several. */
export async function runDueStepsToEnd(deps: Deps, steps: DueSteps): Promise<number> {
  let done = 0;
  const work = dueSteps(deps, steps, (count) => {
    done += count;
  });
  await new WorkLoop(deps, work).runToEnd();
  return done;
}

export const cancelMandates = (deps: Deps) => runDueStepsToEnd(deps, MANDATE_CANCELLATIONS);
export const runPaymentSteps = (deps: Deps) => runDueStepsToEnd(deps, PAYMENT_STEPS);
export const runBillingSteps = (deps: Deps) => runDueStepsToEnd(deps, BILLING_STEPS);
