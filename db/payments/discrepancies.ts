import type { SettlementType } from '../../domain/ledger/settlement.ts';
import type {
  Discrepancy,
  DiscrepancyReason,
  DiscrepancySide,
  DiscrepancySource,
  DiscrepancyStatus,
} from '../../domain/payments/discrepancy.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

interface DiscrepancyRow {
  slot: number;
  merchant_id: string;
  id: string;
  source: DiscrepancySource;
  reason: DiscrepancyReason;
  payment_id: string | null;
  operation_id: string | null;
  reference: string;
  reported: DiscrepancySide;
  recorded: DiscrepancySide;
  status: DiscrepancyStatus;
  note: string | null;
  created_at: Date;
  closed_at: Date | null;
}

const COLUMNS = `slot, merchant_id, id, source, reason, payment_id, operation_id, reference, reported, recorded, status,
  note, created_at, closed_at`;

export type NewDiscrepancy = Omit<Discrepancy, 'merchantId' | 'status' | 'note' | 'closedAt'> & {
  /** Identifies the report: one report is one discrepancy, however often it arrives. */
  readonly reportKey: string;
  /** When the acquirer is asked about its payment (wall time); absent if it is not. */
  readonly inquireAt?: Date;
};

/** Writes an open discrepancy; undefined when this report was written before. */
export async function insertDiscrepancy(
  tx: Tx,
  scope: MerchantScope,
  found: NewDiscrepancy,
): Promise<Discrepancy | undefined> {
  const row = await tx.maybeOne<DiscrepancyRow>(
    scope,
    `insert into discrepancies (slot, merchant_id, id, source, reason, payment_id, operation_id, reference, report_key,
       reported, recorded, created_at, inquire_at)
     values (:slot, :merchant_id, :id, :source, :reason, :payment_id, :operation_id, :reference, :report_key,
       :reported, :recorded, :created_at, :inquire_at)
     on conflict (slot, merchant_id, report_key) do nothing returning ${COLUMNS}`,
    {
      id: found.id,
      source: found.source,
      reason: found.reason,
      payment_id: found.paymentId,
      operation_id: found.operationId,
      reference: found.reference,
      report_key: found.reportKey,
      reported: JSON.stringify(found.reported),
      recorded: JSON.stringify(found.recorded),
      created_at: found.createdAt,
      inquire_at: found.inquireAt ?? null,
    },
  );
  return row === undefined ? undefined : toDiscrepancy(row);
}

/** For administration: discrepancies of one merchant or of all, oldest first; only open ones unless `all`. */
export async function listDiscrepancies(
  db: Database,
  { merchantId, all }: { readonly merchantId: string | undefined; readonly all: boolean },
): Promise<Discrepancy[]> {
  const rows = await db.anywhere<DiscrepancyRow>(
    `select ${COLUMNS} from discrepancies
      where (:all or status = 'open') and (cast(:merchant_id as uuid) is null or merchant_id = :merchant_id)
      order by created_at, id`,
    { all, merchant_id: merchantId ?? null },
  );
  return rows.map(toDiscrepancy);
}

/** For administration: a discrepancy by its id alone, with its merchant. */
export async function findDiscrepancy(
  db: Database,
  id: string,
): Promise<{ scope: MerchantScope; discrepancy: Discrepancy } | undefined> {
  const [row] = await db.anywhere<DiscrepancyRow>(`select ${COLUMNS} from discrepancies where id = :id`, {
    id,
  });
  if (row === undefined) return undefined;
  return { scope: { slot: row.slot, merchantId: row.merchant_id }, discrepancy: toDiscrepancy(row) };
}

/**
 * The open discrepancies about a line or an entry with one of these references that was missing, with the type and
 * reference of what is missing. A line counts as doubled if the ledger has fewer entries than there are lines.
 */
export async function openSettlementGaps(
  tx: Tx,
  scope: MerchantScope,
  references: readonly string[],
): Promise<{ id: string; type: SettlementType; reference: string }[]> {
  const rows = await tx.rows<Pick<DiscrepancyRow, 'id' | 'reference' | 'reported'>>(
    scope,
    `select id, reference, reported from discrepancies
      where {scope} and reference = any(:references) and status = 'open' and source = 'settlement_file'
        and reason in ('settlement_unknown', 'settlement_doubled', 'settlement_missing')
      order by id`,
    { references },
  );
  return rows.map(({ id, reference, reported }) => ({
    id,
    reference,
    type: String(reported.report).replace('settlement_file.', '') as SettlementType,
  }));
}

/** Moves a discrepancy, with a note. Undefined when it was not in `from`. */
export async function moveDiscrepancyRow(
  q: Queryable,
  scope: MerchantScope,
  moved: RowMove<DiscrepancyStatus> & { readonly id: string; readonly note: string; readonly at: Date },
): Promise<Discrepancy | undefined> {
  const row = await q.maybeOne<DiscrepancyRow>(
    scope,
    `update discrepancies set status = :to, note = :note, closed_at = :at, inquire_at = null
      where {scope} and id = :id and status = any(:from) returning ${COLUMNS}`,
    { ...moved },
  );
  return row === undefined ? undefined : toDiscrepancy(row);
}

function toDiscrepancy(row: DiscrepancyRow): Discrepancy {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    source: row.source,
    reason: row.reason,
    paymentId: row.payment_id,
    operationId: row.operation_id,
    reference: row.reference,
    reported: row.reported,
    recorded: row.recorded,
    status: row.status,
    note: row.note,
    createdAt: row.created_at,
    closedAt: row.closed_at,
  };
}
