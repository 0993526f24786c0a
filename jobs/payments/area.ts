import { DUE_MANDATES } from '../../db/payments/due-mandates.ts';
import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { mandatesOfPayments } from '../../services/payments/methods/mandates/follow-payments.ts';
import { cancelDueMandatesOfClock } from '../../services/payments/methods/mandates/run-due-mandates.ts';
import { walletCredentialContext } from '../../services/payments/methods/wallet-credential.ts';
import { runDuePaymentsOfClock } from '../../services/payments/run-due-payments.ts';
import { type Area, sealedColumn } from '../area.ts';
import { dueSteps } from '../due-steps.ts';
import { slotJob } from '../slot-job.ts';
import { MANDATE_CANCELLATIONS } from './cancel-mandates.ts';
import { differencesToInquire } from './inquire-differences.ts';
import { PAYMENT_STEPS } from './payment-steps.ts';
import { paymentsWithoutEntries } from './post-missing-entries.ts';
import { measureLateReconciliation, unreconciledDays } from './reconcile-days.ts';
import { openOperations } from './reconcile-operations.ts';

export const payments: Area = {
  jobs: (deps) => [
    slotJob(deps, { name: 'reconcile operations', interval_ms: 1_000 }, openOperations(deps)),
    slotJob(deps, { name: 'payment steps', interval_ms: 1_000 }, dueSteps(deps, PAYMENT_STEPS)),
    slotJob(deps, { name: 'cancel mandates', interval_ms: 1_000 }, dueSteps(deps, MANDATE_CANCELLATIONS)),
    slotJob(deps, { name: 'post missing entries', interval_ms: MINUTE_MS }, paymentsWithoutEntries(deps)),
    ...(deps.acquirer.isConfigured
      ? [
          slotJob(deps, { name: 'reconcile days', interval_ms: 10 * MINUTE_MS }, unreconciledDays(deps)),
          slotJob(deps, { name: 'inquire differences', interval_ms: MINUTE_MS }, differencesToInquire(deps)),
          {
            name: 'measure late reconciliation',
            interval_ms: 10 * MINUTE_MS,
            runOnce: async () => {
              await measureLateReconciliation(deps);
              return 0;
            },
          },
        ]
      : []),
  ],
  clockedWork: [
    { rows: DUE_PAYMENTS, runDue: runDuePaymentsOfClock },
    { rows: DUE_MANDATES, runDue: cancelDueMandatesOfClock },
  ],
  expiringTables: [
    {
      table: 'acquirer_notifications',
      key: 'id',
      expiresAt: 'received_at',
      indexedBy: 'slot',
      kept_ms: 90 * DAY_MS,
    },
    // An order whose token was checked just before it expired can still be under way.
    {
      table: 'used_wallet_tokens',
      key: 'token_id',
      expiresAt: 'expires_at',
      indexedBy: 'slot',
      kept_ms: HOUR_MS,
    },
  ],
  paymentListeners: [mandatesOfPayments],
  sealedColumns: [sealedColumn('wallet_credentials', 'credential_sealed', 'id', walletCredentialContext)],
  merchantTables: [
    { table: 'payments', countedAs: 'payments', lockedBy: 'id' },
    { table: 'refunds', countedAs: 'refunds' },
    { table: 'used_wallet_tokens' },
    { table: 'wallet_credentials' },
    { table: 'payment_operations' },
    { table: 'payment_operation_results' },
    { table: 'acquirer_notifications' },
    { table: 'discrepancies' },
    { table: 'reconciled_days' },
    { table: 'settlement_lines' },
    { table: 'mandates' },
  ],
};
