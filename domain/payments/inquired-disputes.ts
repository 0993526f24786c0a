import type { AcquirerUpdate, PaymentOnRecord } from './acquirer-report.ts';
import { type DisputeOnRecord, haveReferences } from './judge-dispute.ts';
import { isBeforeDisputeEnded } from './judge-update.ts';

/**
 * The changes that can be applied without doubt about their dispute. With the ids of all disputes, these are all.
 * Without, only the last dispute can change, and only in two cases:
 * - It is the only one that is not on record, and all others were won: it is opened.
 * - It is the one that is open on record, if it was requested before it was opened here and decided after that.
 * In all other cases there are none, and a person decides. `changes`: all that have happened, in order.
 */
export function assignedChanges<Change extends { readonly report: AcquirerUpdate }>(
  changes: readonly Change[],
  payment: Pick<PaymentOnRecord, 'status' | 'history'>,
  disputes: readonly DisputeOnRecord[],
): readonly Change[] {
  const isNamed = changes.every(({ report }) => (report.dispute?.reference ?? null) !== null);
  if (isNamed && haveReferences(payment, disputes)) return changes;
  const requests = changes.filter(({ report }) => report.update === 'chargeback_requested');
  const last = requests.at(-1);
  if (last === undefined) return [];
  const ofLast = changes.slice(changes.indexOf(last));
  const open = disputes.filter(({ state }) => state !== 'won');
  const isDisputed = payment.status.startsWith('chargeback_');
  const { occurredAt } = last.report;
  switch (requests.length - disputes.length) {
    case 1: {
      const isNew = open.length === 0 && !isDisputed && !isBeforeDisputeEnded(occurredAt, payment);
      return isNew ? ofLast : [];
    }
    case 0: {
      const openedAt = payment.history.findLast(({ status }) => status === 'chargeback_requested')?.at;
      if (open.length !== 1 || !isDisputed || openedAt === undefined || occurredAt > openedAt) return [];
      // An examination before that is left out: it ends nothing, and may be of another dispute.
      const others = ofLast
        .slice(1)
        .filter(({ report }) => report.update !== 'chargeback_dispute' || report.occurredAt >= openedAt);
      return others.every(({ report }) => report.occurredAt >= openedAt) ? others : [];
    }
    default:
      return [];
  }
}
