import { disputesOfPayments } from '../../services/disputes/follow-payments.ts';
import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { openEvidence } from './reconcile-evidence.ts';

export const disputes: Area = {
  jobs: (deps) => [slotJob(deps, { name: 'reconcile evidence', interval_ms: 1_000 }, openEvidence(deps))],
  paymentListeners: [disputesOfPayments],
  merchantTables: [{ table: 'disputes', countedAs: 'disputes' }, { table: 'dispute_evidence' }],
};
