import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';

/** How many rows of each kind were deleted. */
export interface DeletedRows {
  readonly recipients: number;
  readonly customers: number;
  /** Without those that the merchant had deleted before. */
  readonly cards: number;
  readonly orders: number;
  readonly payments: number;
  readonly refunds: number;
  readonly events: number;
}

/**
 * Deletes all that a merchant has but its account, settings and API keys, each table before those that it refers to.
 * What is about to write a row of the merchant waits, or is waited for. Of the idempotency
 * keys, the one of the request `keptRequestId` stays.
 */
export async function deleteMerchantData(
  tx: Tx,
  scope: MerchantScope,
  { keptRequestId }: { readonly keptRequestId: string },
): Promise<DeletedRows> {
  const empty = (table: string, condition = 'true') =>
    tx.execute(scope, `delete from ${table} where {scope} and ${condition}`);
  // Rows that others lock before they write, in their order and so that references to them may still be made; else
  // who holds one of them and is about to write would wait for us as we wait for it.
  for (const table of ['customers', 'recipients', 'payments', 'cards']) {
    await tx.one(
      scope,
      `select count(*) from (select 1 from ${table} where {scope} for no key update) locked`,
    );
  }
  await tx.one(scope, 'select merchant_id from merchants where {scope} for update');
  const events = await empty('events');
  await empty('acquirer_notifications');
  await empty('discrepancies');
  await empty('payment_operation_results');
  await empty('payment_operations');
  const refunds = await empty('refunds');
  const payments = await empty('payments');
  const orders = await empty('orders');
  await empty('card_security_codes');
  await empty('cards', 'deleted_at is not null');
  const cards = await empty('cards');
  const customers = await empty('customers');
  const recipients = await empty('recipients');
  await empty('clock_steps');
  await empty('clock_advances');
  await empty('merchant_clocks');
  await tx.execute(scope, 'delete from idempotency_keys where {scope} and resource_id <> :kept', {
    kept: keptRequestId,
  });
  await tx.execute(scope, 'update merchants set next_recipient_number = 1 where {scope}');
  return { recipients, customers, cards, orders, payments, refunds, events };
}
