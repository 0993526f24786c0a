import type { Mandate } from '../../domain/payments/mandate.ts';
import {
  isOpenMandate,
  type MandateState,
  OPEN_MANDATE_STATES,
} from '../../domain/payments/mandate-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { textList } from '../engine/text-list.ts';

interface MandateRow {
  id: string;
  subscription_id: string;
  payment_id: string;
  reference: string;
  state: MandateState;
  interval: Mandate['interval'];
  first_charge_on: string;
  recurring_amount_centavos: number | null;
  min_amount_centavos: number | null;
  allows_retries: boolean;
  statement: string | null;
  charge_code: string | null;
  cancellation_code: string | null;
  created_at: Date;
}

const COLUMNS = `id, subscription_id, payment_id, reference, state, interval, first_charge_on, recurring_amount_centavos,
  min_amount_centavos, allows_retries, statement, charge_code, cancellation_code, created_at`;

/** Writes a new mandate, in the transaction that writes its payment. */
export async function insertMandate(tx: Tx, scope: MerchantScope, mandate: Mandate): Promise<void> {
  await tx.execute(
    scope,
    `insert into mandates (slot, merchant_id, ${COLUMNS}, updated_at)
     values (:slot, :merchant_id, :id, :subscription_id, :payment_id, :reference, :state, :interval, :first_charge_on,
       :recurring_amount_centavos, :min_amount_centavos, :allows_retries, :statement, :charge_code, :cancellation_code,
       :created_at, :created_at)`,
    {
      id: mandate.id,
      subscription_id: mandate.subscriptionId,
      payment_id: mandate.paymentId,
      reference: mandate.reference,
      state: mandate.state,
      interval: mandate.interval,
      first_charge_on: mandate.firstChargeOn,
      recurring_amount_centavos: mandate.recurringAmount_centavos,
      min_amount_centavos: mandate.minAmount_centavos,
      allows_retries: mandate.allowsRetries,
      statement: mandate.statement,
      charge_code: mandate.chargeCode,
      cancellation_code: mandate.cancellationCode,
      created_at: mandate.createdAt,
    },
  );
}

/** A mandate by its id. */
export async function findMandate(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Mandate | undefined> {
  const row = await q.maybeOne<MandateRow>(
    scope,
    `select ${COLUMNS} from mandates where {scope} and id = :id`,
    { id },
  );
  return row && toMandate(row);
}

/** The mandate of a subscription that was requested last. */
export async function findLatestMandate(
  q: Queryable,
  scope: MerchantScope,
  subscriptionId: string,
): Promise<Mandate | undefined> {
  const row = await q.maybeOne<MandateRow>(
    scope,
    `select ${COLUMNS} from mandates
      where {scope} and subscription_id = :subscription_id order by created_at desc, id desc limit 1`,
    { subscription_id: subscriptionId },
  );
  return row && toMandate(row);
}

/** The mandates of a subscription that have not ended, oldest first. */
export async function findOpenMandates(
  q: Queryable,
  scope: MerchantScope,
  subscriptionId: string,
): Promise<Mandate[]> {
  const rows = await q.rows<MandateRow>(
    scope,
    `select ${COLUMNS} from mandates
      where {scope} and subscription_id = :subscription_id and state in (${textList(OPEN_MANDATE_STATES)})
      order by created_at, id`,
    { subscription_id: subscriptionId },
  );
  return rows.map(toMandate);
}

/** A change of a mandate. A code that is null does not change. */
export interface MandateRowMove {
  readonly id: string;
  readonly from: MandateState;
  readonly to: MandateState;
  readonly chargeCode: string | null;
  readonly cancellationCode: string | null;
  readonly at: Date;
}

/**
 * Makes a move of a mandate. False when it was not in `from`. This is the only statement that changes the state of a
 * mandate.
 */
export async function moveMandateRow(tx: Tx, scope: MerchantScope, move: MandateRowMove): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update mandates set state = :to, due_at = case when :is_open then due_at end, charge_code = coalesce(:charge_code, charge_code),
       cancellation_code = coalesce(:cancellation_code, cancellation_code), updated_at = :at
      where {scope} and id = :id and state = :from`,
    {
      id: move.id,
      from: move.from,
      to: move.to,
      is_open: isOpenMandate(move.to),
      charge_code: move.chargeCode,
      cancellation_code: move.cancellationCode,
      at: move.at,
    },
  );
  return touched === 1;
}

function toMandate(row: MandateRow): Mandate {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    paymentId: row.payment_id,
    reference: row.reference,
    state: row.state,
    interval: row.interval,
    firstChargeOn: row.first_charge_on,
    recurringAmount_centavos: row.recurring_amount_centavos,
    minAmount_centavos: row.min_amount_centavos,
    allowsRetries: row.allows_retries,
    statement: row.statement,
    chargeCode: row.charge_code,
    cancellationCode: row.cancellation_code,
    createdAt: row.created_at,
  };
}
