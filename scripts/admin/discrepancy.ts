import type { Command } from '@commander-js/extra-typings';
import { findMerchantById } from '../../db/merchants/merchants.ts';
import { findDiscrepancy, listDiscrepancies } from '../../db/payments/discrepancies.ts';
import type { Discrepancy, DiscrepancySide } from '../../domain/payments/discrepancy.ts';
import { DISCREPANCY_REASONS } from '../../domain/payments/discrepancy.ts';
import { closeDiscrepancy } from '../../services/payments/close-discrepancy.ts';
import { Refusal } from '../../services/refusal.ts';
import { examples, type Output, type Run, SAMPLE_ID } from './command.ts';
import { noMerchant } from './merchant.ts';
import type { Operator } from './operator.ts';
import { single } from './options.ts';
import { instant, table } from './text.ts';
import { readId, readNote, UsageError } from './values.ts';

export function addDiscrepancyCommands(group: Command, run: Run): void {
  group.description('Lists and closes reports of the acquirer that contradict the records.');
  group
    .command('list')
    .description(
      'List open discrepancies, oldest first: reports of the acquirer that contradict the records.',
    )
    .option('--merchant <id>', 'Id of a merchant. Default: all merchants.', single('--merchant', readId))
    .option('--all', 'Also list closed ones.')
    .addHelpText('after', examples('discrepancy list', `discrepancy list --merchant ${SAMPLE_ID} --all`))
    .action(({ merchant, all = false }) => run((operator) => listAll(operator, merchant, all)));
  group
    .command('close')
    .description('Close a discrepancy with a note on what was found. No payment changes.')
    .argument('<discrepancy-id>', 'Id of the discrepancy.', (text) => readId(text, 'discrepancy-id'))
    .requiredOption('--note <text>', 'What was found.', single('--note', readNote))
    .addHelpText(
      'after',
      examples(`discrepancy close ${SAMPLE_ID} --note "The acquirer corrected its report."`),
    )
    .action((id, { note }) => run((operator) => close(operator, id, note)));
}

async function listAll({ db }: Operator, merchant: string | undefined, all: boolean): Promise<Output> {
  if (merchant !== undefined && (await findMerchantById(db, merchant)) === undefined) {
    throw noMerchant(merchant);
  }
  const found = await listDiscrepancies(db, { merchantId: merchant, all });
  const rows = found.map((discrepancy) => rowOf(discrepancy, all));
  return { json: found.map(discrepancyJson), text: table(rows, 'There are no open discrepancies.') };
}

async function close(operator: Operator, id: string, note: string): Promise<Output> {
  if ((await findDiscrepancy(operator.db, id)) === undefined) {
    throw new UsageError(`There is no discrepancy ${id}.`);
  }
  const closed = await closeDiscrepancy(operator, id, note).catch((error: unknown) => {
    throw error instanceof Refusal && error.reason === 'wrong_state'
      ? new UsageError(`The discrepancy ${id} is already closed.`)
      : error;
  });
  return { json: discrepancyJson(closed), text: `The discrepancy ${id} is closed.` };
}

/** The fields that a person needs first. `--json` has all of them. */
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
    recorded: recordedText(recorded),
    ...(all ? { status: found.status, note: found.note } : {}),
  };
}

function recordedText(recorded: DiscrepancySide): string {
  // A line of a settlement file has an entry of the ledger, in place of an operation.
  if (recorded.entry !== undefined) return `${recorded.entry} ${centavos(recorded, 'amount_centavos')}`;
  return (
    `${recorded.operation} ${recorded.operation_state} ${centavos(recorded, 'operation_amount_centavos')}, ` +
    `payment ${recorded.payment_status}`
  );
}

function centavos(side: DiscrepancySide, name: string): string {
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
