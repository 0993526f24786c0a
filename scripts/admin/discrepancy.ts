import { findMerchantById } from '../../db/merchants/merchants.ts';
import {
  type Discrepancy,
  findDiscrepancy,
  listDiscrepancies,
  type Side,
} from '../../db/payments/discrepancies.ts';
import { DISCREPANCY_REASONS } from '../../domain/payments/discrepancy.ts';
import { closeDiscrepancy } from '../../services/payments/close-discrepancy.ts';
import { Refusal } from '../../services/refusal.ts';
import { type Command, command } from './command.ts';
import { one, required, toggle } from './flags.ts';
import { noMerchant } from './merchant.ts';
import { instant, table } from './text.ts';
import { readId, readNote, UsageError } from './values.ts';

const list = command({
  name: 'discrepancy list',
  summary:
    'Lists reports of the acquirer that do not fit the records and are open, oldest first; --all: closed too.',
  flags: { merchant: one('ID', readId), all: toggle() },
  async run({ db }, { merchant, all }) {
    if (merchant !== undefined && (await findMerchantById(db, merchant)) === undefined) {
      throw noMerchant(merchant);
    }
    const found = await listDiscrepancies(db, { merchantId: merchant, all });
    const rows = found.map((one) => rowOf(one, all));
    return { json: found.map(discrepancyJson), text: table(rows, 'There is no open discrepancy.') };
  },
});

const close = command({
  name: 'discrepancy close',
  summary: 'Closes a discrepancy with a note on what was found. It changes no payment.',
  argument: 'ID',
  flags: { note: required('N', readNote) },
  async run(operator, { note }, id) {
    if ((await findDiscrepancy(operator.db, id)) === undefined) {
      throw new UsageError(`There is no discrepancy ${id}.`);
    }
    const closed = await closeDiscrepancy(operator, id, note).catch((error: unknown) => {
      throw error instanceof Refusal && error.kind === 'invalid'
        ? new UsageError(`The discrepancy ${id} was closed before.`)
        : error;
    });
    return { json: discrepancyJson(closed), text: `The discrepancy ${id} is closed.` };
  },
});

/** What a person needs at first sight; `--json` has the rest. */
function rowOf(found: Discrepancy, all: boolean) {
  const { reported, recorded } = found;
  return {
    id: found.id,
    created_at: instant(found.createdAt),
    merchant_id: found.merchantId,
    payment_id: found.paymentId,
    reason: found.reason,
    source: found.source,
    reported: `${reported.report} ${centavos(reported, 'amount_centavos')}`,
    recorded:
      `${recorded.operation} ${recorded.operation_state} ${centavos(recorded, 'operation_amount_centavos')}, ` +
      `payment ${recorded.payment_status}`,
    ...(all ? { status: found.status, note: found.note } : {}),
  };
}

function centavos(side: Side, name: string): string {
  return side[name] === null ? 'no amount' : `${side[name]}`;
}

function discrepancyJson(found: Discrepancy) {
  return {
    id: found.id,
    merchant_id: found.merchantId,
    payment_id: found.paymentId,
    operation_id: found.operationId,
    reference: found.reference,
    source: found.source,
    reason: found.reason,
    why: DISCREPANCY_REASONS[found.reason],
    reported: found.reported,
    recorded: found.recorded,
    status: found.status,
    note: found.note,
    created_at: instant(found.createdAt),
    closed_at: found.closedAt === null ? null : instant(found.closedAt),
  };
}

export const discrepancyCommands: readonly Command[] = [list, close];
