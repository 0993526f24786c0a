import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { addDays } from '../../../domain/business-days.ts';
import { operationReference, publicHash, uuidV7 } from '../../../domain/identifiers.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { STANDARD_FEES } from '../../../domain/merchants/payment-methods.ts';
import { platformFee } from '../../../domain/merchants/platform-fees.ts';
import { plainAscii } from '../../../domain/text.ts';
import type { Acquirer } from '../../../gateway/acquirer.ts';
import { cardContext } from '../../../services/cards/card-context.ts';
import type { Vault } from '../../../services/vault/vault.ts';
import type { Caller } from './caller.ts';
import {
  CAPTURE_PAYMENT,
  DELETE_CODE,
  FIND_CARD,
  INSERT_CARD_PAYMENT,
  LOCK_CARD,
  MARK_CARD,
  POST_CAPTURE,
} from './card-statements.ts';
import { LOCK_PAYMENT, SETTLE_OPERATION } from './order-statements.ts';
import {
  beginRows,
  check,
  insertIntent,
  type OrderBody,
  orderAnswer,
  recordEvent,
  refused,
} from './orders.ts';
import { paymentJson, utcMicros } from './payments.ts';
import { lockLines, postSplit, splitColumn } from './split.ts';
import { inTransaction } from './transaction.ts';

const DESCRIPTOR_MAX = 22;
const DAYS_TO_AVAILABLE = 30;

/** An order by a stored card, captured at once: written, authorized at the acquirer, written. */
export async function placeCardOrder(
  pool: Pool,
  vault: Vault,
  acquirer: Acquirer,
  caller: Caller,
  body: OrderBody,
) {
  check(caller, body);
  const { slot, merchant_id } = caller;
  const at = new Date();
  const id = body.payment.credit_card!.id;
  const card = (await pool.query({ ...FIND_CARD, values: [slot, merchant_id, id, at] })).rows[0];
  if (card === undefined) throw refused('No such card.');
  const number = (await vault.open(card.number_sealed, cardContext.number(id))).toString('utf8');
  const code = card.code_sealed && (await vault.open(card.code_sealed, cardContext.securityCode(id)));
  const begun = await inTransaction(pool, (client) => begin(client, caller, body, card, at));
  const { row } = begun;
  const outcome = await acquirer.perform({
    kind: 'authorize',
    method: 'credit_card',
    reference: row.reference,
    account: merchant_id,
    requestedAt: at,
    amount_centavos: row.amount_centavos,
    customer: begun.customer,
    capture: true,
    installments: row.installments,
    mcc: row.mcc,
    statementDescriptor: row.details.statementDescriptor,
    processingModel: null,
    card: {
      number,
      holder: card.holder,
      expMonth: card.exp_month,
      expYear: card.exp_year,
      securityCode: begun.isFirst && code ? code.toString('utf8') : null,
      cardId: card.id,
    },
  });
  if (outcome.kind !== 'approved') throw new Error('The acquirer did not authorize the card.');
  const payment = await inTransaction(pool, async (client) => {
    await client.query({ ...LOCK_PAYMENT, values: [slot, merchant_id, row.id] });
    await client.query({ ...SETTLE_OPERATION, values: [slot, merchant_id, begun.operationId, new Date()] });
    await client.query({ ...MARK_CARD, values: [slot, merchant_id, id, at] });
    const now = new Date();
    const steps = JSON.stringify([
      { status: 'AUTHORIZED', at: now },
      { status: 'paid', at: now },
    ]);
    const details = JSON.stringify({ ...row.details, authorizationCode: outcome.authorizationCode });
    const fee = platformFee(STANDARD_FEES.credit_card, row.amount_centavos);
    const day = merchantDay(now);
    const { lines } = begun;
    const { amount, split = [] } = body.payment;
    const shares = lines.length === 0 ? null : splitColumn(split, lines, amount, fee);
    const values = [slot, merchant_id, row.id, details, steps, now, fee, day, shares];
    const paid = paymentJson((await client.query({ ...CAPTURE_PAYMENT, values })).rows[0]);
    if (lines.length > 0) await postSplit(client, caller, row, lines, { fee, day, at: now });
    else await client.query({ ...POST_CAPTURE, values: ledgerOf(caller, row, fee, day, now) });
    const authorized = {
      ...paid,
      fee_amount: null,
      split: paid.split.map((share: object) => ({ ...share, fee_amount: null })),
      status: 'AUTHORIZED',
      captured_amount: 0,
      history: paid.history.slice(0, 2),
    };
    await recordEvent(client, caller, 'payment.authorized', authorized, now);
    await recordEvent(client, caller, 'payment.updated', paid, now);
    return paid;
  });
  return orderAnswer(body, begun.orderId, payment, utcMicros(at));
}

/** The parameters of `POST_CAPTURE`. */
function ledgerOf(
  { slot, merchant_id }: Caller,
  // biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
  { id, amount_centavos: amount, reference }: any,
  fee: number,
  day: string,
  at: Date,
) {
  const newId = () => uuidV7(at.getTime(), randomBytes);
  // An id of a transfer ends in an even digit.
  const evenId = () => newId().replace(/.$/, (digit) => (Number.parseInt(digit, 16) & 14).toString(16));
  const part = Number.parseInt(id.at(-1), 16);
  const ids = [evenId(), newId(), id];
  const available = addDays(day, DAYS_TO_AVAILABLE);
  return [slot, merchant_id, at, ...ids, amount, available, reference, evenId(), fee, part, amount - fee];
}

async function begin(
  client: PoolClient,
  caller: Caller,
  body: OrderBody,
  // biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
  card: any,
  at: Date,
) {
  const { slot, merchant_id } = caller;
  const { customer, orderId } = await beginRows(client, caller, body, at, async (found) => {
    const locked = await client.query({ ...LOCK_CARD, values: [slot, merchant_id, card.id] });
    if (card.customer_id !== found || locked.rowCount !== 1) throw refused('No such card.');
  });
  const { amount, split = [] } = body.payment;
  const lines = split.length === 0 ? [] : await lockLines(client, caller, split);
  if (lines === undefined) throw refused('No such recipient.');
  const deleted = await client.query({ ...DELETE_CODE, values: [slot, merchant_id, card.id] });
  const { rows } = await client.query({
    ...INSERT_CARD_PAYMENT,
    values: [
      slot,
      merchant_id,
      uuidV7(at.getTime(), randomBytes),
      publicHash(slot, randomBytes),
      orderId,
      body.code,
      customer.customerId,
      body.payment.amount,
      body.payment.currency ?? 'BRL',
      1,
      operationReference(slot, randomBytes),
      body.mcc,
      JSON.stringify({
        cardId: card.id,
        brand: card.brand,
        first6: card.first_6,
        last4: card.last_4,
        statementDescriptor: plainAscii(caller.name, DESCRIPTOR_MAX) || null,
        manualCapture: false,
        authorizationCode: null,
      }),
      JSON.stringify(body.metadata ?? {}),
      JSON.stringify([{ status: 'processing', at }]),
      at,
      lines.length === 0 ? null : splitColumn(split, lines, amount, null),
    ],
  });
  const operationId = await insertIntent(client, caller, 'authorize', rows[0], at);
  return { row: rows[0], operationId, customer, orderId, lines, isFirst: deleted.rowCount === 1 };
}
