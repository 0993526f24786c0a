import type { Dispute, DisputeStatus, Evidence } from '../../domain/disputes/dispute.ts';
import type { DisputeReason } from '../../domain/payments/dispute-notice.ts';
import type { DisputeOnRecord } from '../../domain/payments/judge-dispute.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface DisputeRow {
  id: string;
  payment_id: string;
  acquirer_reference: string | null;
  status: DisputeStatus;
  amount_centavos: number;
  reason: DisputeReason;
  evidence_due_at: Date;
  evidence: EvidenceJson[];
  created_at: Date;
  updated_at: Date;
  decided_at: Date | null;
}

interface EvidenceJson {
  id: string;
  text: string;
  createdAt: string;
  /** False in a text that a process of an earlier version was sending. Absent in others, which were all accepted. */
  isAccepted?: boolean;
}

const COLUMNS =
  'id, payment_id, acquirer_reference, status, amount_centavos, reason, evidence_due_at, evidence, created_at, updated_at, decided_at';

/** Writes a dispute that was just opened. */
export async function insertDispute(
  tx: Tx,
  scope: MerchantScope,
  dispute: Omit<Dispute, 'status' | 'evidence' | 'updatedAt' | 'decidedAt'>,
): Promise<Dispute> {
  const row = await tx.one<DisputeRow>(
    scope,
    `insert into disputes (slot, merchant_id, id, payment_id, acquirer_reference, status, amount_centavos, reason,
       evidence_due_at, created_at, updated_at)
     values (:slot, :merchant_id, :id, :payment_id, :acquirer_reference, 'requested', :amount_centavos, :reason,
       :evidence_due_at, :at, :at)
     returning ${COLUMNS}`,
    {
      id: dispute.id,
      payment_id: dispute.paymentId,
      acquirer_reference: dispute.acquirerReference,
      amount_centavos: dispute.amount_centavos,
      reason: dispute.reason,
      evidence_due_at: dispute.evidenceDueAt,
      at: dispute.createdAt,
    },
  );
  return toDispute(row);
}

/** A dispute by its id. */
export async function findDispute(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Dispute | undefined> {
  const row = await q.maybeOne<DisputeRow>(
    scope,
    `select ${COLUMNS} from disputes where {scope} and id = :id`,
    { id },
  );
  return row && toDispute(row);
}

/**
 * The dispute of a payment that is open or lost. It is changed under the lock of its payment only, so it needs no lock
 * of its own.
 */
export async function findDisputeOfPayment(
  tx: Tx,
  scope: MerchantScope,
  paymentId: string,
): Promise<Dispute | undefined> {
  const row = await tx.maybeOne<DisputeRow>(
    scope,
    `select ${COLUMNS} from disputes where {scope} and payment_id = :payment_id and status <> 'won'`,
    { payment_id: paymentId },
  );
  return row && toDispute(row);
}

/** All disputes of a payment, by which reports of the acquirer are judged. */
export async function findDisputesOfPayment(
  tx: Tx,
  scope: MerchantScope,
  paymentId: string,
): Promise<DisputeOnRecord[]> {
  const rows = await tx.rows<Pick<DisputeRow, 'acquirer_reference' | 'status'>>(
    scope,
    'select acquirer_reference, status from disputes where {scope} and payment_id = :payment_id',
    { payment_id: paymentId },
  );
  return rows.map(({ acquirer_reference, status }) => ({
    reference: acquirer_reference,
    state: status === 'won' || status === 'lost' ? status : 'open',
  }));
}

/** A change of a dispute: its state and its amount. */
export interface MovedDispute {
  readonly id: string;
  readonly from: DisputeStatus;
  readonly to: DisputeStatus;
  readonly amount_centavos: number;
  readonly at: Date;
  readonly decidedAt: Date | null;
}

/** Moves a dispute; false when it was not in `from`. The only statement that changes its status and amount. */
export async function moveDisputeRow(tx: Tx, scope: MerchantScope, moved: MovedDispute): Promise<boolean> {
  const { id, from, to, amount_centavos, at, decidedAt } = moved;
  const touched = await tx.execute(
    scope,
    `update disputes set status = :to, amount_centavos = :amount_centavos, decided_at = :decided_at, updated_at = :at
      where {scope} and id = :id and status = :from`,
    { id, from, to, amount_centavos, at, decided_at: decidedAt },
  );
  return touched === 1;
}

/**
 * Adds evidence that the acquirer has accepted, unless a process of an earlier version has added it. The caller holds
 * the lock of the payment. `at`: merchant's time.
 */
export async function addEvidence(
  tx: Tx,
  scope: MerchantScope,
  disputeId: string,
  { id, text, createdAt }: Evidence,
  at: Date,
): Promise<void> {
  await tx.execute(
    scope,
    `update disputes set evidence = evidence || cast(:added as jsonb), updated_at = greatest(updated_at, :at)
      where {scope} and id = :id and not exists (
        select from jsonb_array_elements(evidence) as each
         where each ->> 'id' = :evidence_id and each ->> 'isAccepted' is distinct from 'false')`,
    { id: disputeId, evidence_id: id, added: JSON.stringify([{ id, text, createdAt }]), at },
  );
}

export interface DisputeFilter {
  readonly status?: DisputeStatus | undefined;
  readonly paymentId?: string | undefined;
}

const DISPUTES = defineList<DisputeRow, DisputeFilter>({
  columns: COLUMNS,
  from: 'disputes',
  filters: { status: equals('status'), paymentId: equals('payment_id') },
});

/** Disputes of the merchant, newest first. */
export async function listDisputes(
  q: Queryable,
  scope: MerchantScope,
  filter: DisputeFilter,
  page: PageRequest,
): Promise<Page<Dispute>> {
  return mapPage(await fetchPage(q, scope, DISPUTES, filter, page), toDispute);
}

function toDispute(row: DisputeRow): Dispute {
  return {
    id: row.id,
    paymentId: row.payment_id,
    acquirerReference: row.acquirer_reference,
    status: row.status,
    amount_centavos: row.amount_centavos,
    reason: row.reason,
    evidenceDueAt: row.evidence_due_at,
    evidence: row.evidence
      .filter(({ isAccepted }) => isAccepted !== false)
      .map(({ id, text, createdAt }) => ({ id, text, createdAt: new Date(createdAt) })),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    decidedAt: row.decided_at,
  };
}
