import assert from 'node:assert/strict';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../../../db/payments/payment-row.ts';
import type { Account, AccountKind } from '../../../domain/ledger/account.ts';
import { recipientAccount } from '../../../domain/ledger/account.ts';
import type { Transfer, TransferKind } from '../../../domain/ledger/transfers.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { transfersBetween } from '../../../domain/payments/payment-ledger.ts';
import { assertDisputesAgree } from '../payments/dispute-records.ts';
import type { TestService } from '../service.ts';
import { balancesOf } from './account-balances.ts';

interface TransferRow {
  payment_id: string;
  kind: TransferKind;
  debit: AccountKind;
  credit: AccountKind;
  recipient_id: string | null;
  amount_centavos: number;
  available_on: string;
}

/** All transfers of a merchant, in the order in which they were written. */
export async function transfersOfMerchant(
  service: TestService,
  account: string,
): Promise<(Transfer & { paymentId: string })[]> {
  const rows = await service.rows<TransferRow>(
    'select * from ledger_transfers where merchant_id = :account order by created_at, id',
    { account },
  );
  return rows.map((row) => ({
    paymentId: row.payment_id,
    kind: row.kind,
    debit: accountOf(row.debit, row.recipient_id),
    credit: accountOf(row.credit, row.recipient_id),
    amount_centavos: row.amount_centavos,
    availableOn: row.available_on,
  }));
}

function accountOf(kind: AccountKind, recipientId: string | null): Account {
  return kind === 'recipient' ? recipientAccount(recipientId!) : kind;
}

/**
 * Compares a merchant's ledger with its payments and its balances, to the centavo: the transfers of each payment are
 * those that follow from its amounts, all accounts sum to zero, and the balances are the sums of the transfers. The
 * disputes agree with their payments.
 */
export async function assertLedgerAgrees(service: TestService, account: string): Promise<void> {
  await assertDisputesAgree(service, account);
  const transfers = await transfersOfMerchant(service, account);
  const rows = await service.rows<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments where merchant_id = :account`,
    { account },
  );
  for (const payment of rows.map(toPayment)) {
    assertPaymentPosted(
      payment,
      transfers.filter(({ paymentId }) => paymentId === payment.id),
    );
  }
  const { total, byDay } = balancesOf(transfers);
  assert.equal(
    [...total.values()].reduce((sum, centavos) => sum + centavos, 0),
    0,
    'the ledger does not sum to zero',
  );
  assert.deepEqual(await storedBalances(service, account), partiesOf(byDay));
}

function assertPaymentPosted(payment: Payment, posted: readonly Transfer[]): void {
  const { status, captured_centavos, refunded_centavos } = payment;
  const expected = balancesOf(transfersBetween({ ...payment, capturedOn: null }, payment));
  const { total, byDay } = balancesOf(posted);
  assert.deepEqual(sorted(byDay), sorted(expected.byDay), `the entries of a payment ${status}`);
  const lost_centavos = status === 'chargeback_lost' ? captured_centavos - refunded_centavos : 0;
  const owed_centavos = captured_centavos - refunded_centavos - lost_centavos;
  assert.equal(total.get('acquirer_receivable') ?? 0, 0 - owed_centavos, 'what the acquirer owes');
}

/** The balances as the service stores them, by `account day`, without those that are 0. */
async function storedBalances(service: TestService, account: string): Promise<Record<string, number>> {
  const rows = await service.rows<{
    account: AccountKind;
    recipient_id: string;
    day: string;
    centavos: number;
  }>(
    `select account, recipient_id, available_on as day, cast(sum(balance_centavos) as bigint) as centavos
       from ledger_balances where merchant_id = :account
      group by account, recipient_id, available_on having sum(balance_centavos) <> 0`,
    { account },
  );
  return sorted(
    new Map(rows.map((row) => [`${accountOf(row.account, row.recipient_id)} ${row.day}`, row.centavos])),
  );
}

function partiesOf(byDay: ReadonlyMap<string, number>): Record<string, number> {
  return sorted(new Map([...byDay].filter(([key]) => /^(merchant|recipient:)/.test(key))));
}

function sorted(balances: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...balances].sort(([one], [other]) => (one < other ? -1 : 1)));
}
