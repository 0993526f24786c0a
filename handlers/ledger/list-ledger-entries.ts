import type { LedgerEntry } from '../../domain/ledger/entry.ts';
import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import { listLedgerEntries as listEntries } from '../../services/ledger/list-ledger-entries.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';

export const listLedgerEntries: Handler<'listLedgerEntries'> = async ({ deps, merchant, query }) => {
  const page = await listEntries(deps, merchant, {
    page: pageInput(query),
    paymentId: query.payment_id,
    recipient: query.recipient_id,
    account: query.account,
  });
  return { status: 200, body: pageAnswer(page, entryAnswer) };
};

function entryAnswer(entry: LedgerEntry): components['schemas']['LedgerEntry'] {
  return {
    id: entry.id,
    transaction_id: entry.transactionId,
    payment_id: entry.paymentId,
    account: entry.account,
    recipient_id: entry.recipientId,
    kind: entry.kind,
    direction: entry.direction,
    amount: entry.amount_centavos,
    available_on: entry.availableOn,
    created_at: utcMicros(entry.createdAt),
  };
}
