import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../../domain/durations.ts';
import { SIMULATED_OUTCOMES } from '../sandbox-control.ts';
import type { EventName } from './behaviours.ts';
import { transaction } from './database.ts';
import type { Fields } from './fields.ts';
import { CARD_NUMBER } from './methods/card.ts';
import { readOperation } from './operations.ts';
import type { Route } from './payment-routes.ts';
import { lockPayment } from './payments.ts';
import { runDue } from './run-due.ts';
import { nextDue } from './scheduled-events.ts';
import { addScript, dropScript, listScripts } from './scripts.ts';
import { type SimulationResult, simulateEvent } from './simulate-event.ts';
import type { Simulator } from './simulator.ts';
import { validationUrl } from './wallet/provider.ts';
import { insertWalletSession, writeWalletFile } from './wallet/sessions.ts';
import { sealWalletToken } from './wallet/tokens.ts';

/** How long `simulate` waits until its notification is accepted. It is still sent after that. */
const DELIVERY_TIMEOUT_MS = 10_000;

/** How long a validation URL of the wallet provider works. */
const WALLET_SESSION_MS = 5 * MINUTE_MS;

const SCRIPTED_OPERATIONS = ['authorize', 'capture', 'cancel', 'refund', 'mandate'] as const;

/** What a tester can control. A real acquirer has none of these paths. */
export const CONTROL_ROUTES: Readonly<Record<string, Route>> = {
  '/control/simulate': (simulator, fields) =>
    simulate(simulator, fields, fields.oneOf('outcome', SIMULATED_OUTCOMES)),
  '/control/authorize-mandate': (simulator, fields) => simulate(simulator, fields, 'mandate_authorized'),
  '/control/cancel-mandate': (simulator, fields) => simulate(simulator, fields, 'mandate_canceled'),
  '/control/scripts': async ({ pool }, fields) => ({
    ...(await addScript(pool, {
      account: fields.text('account'),
      scriptId: fields.text('script_id'),
      customerId: fields.textOrNull('customer_id'),
      cardId: fields.textOrNull('card_id'),
      outcomes: fields.list('outcomes').map((step) => ({
        operation: step.oneOf('operation', SCRIPTED_OPERATIONS),
        outcome: step.text('outcome'),
      })),
      createdAt: fields.instant('created_at'),
    })),
  }),
  '/control/list-scripts': async ({ pool }, fields) => {
    const id = fields.textOrNull('after_id');
    const after = id === null ? null : { createdAt: fields.text('after_created_at'), id };
    const page = { limit: fields.integer('limit'), after };
    return { scripts: await listScripts(pool, fields.text('account'), page) };
  },
  '/control/drop-script': async ({ pool }, fields) => ({
    dropped: await dropScript(pool, fields.text('account'), fields.text('script_id')),
  }),
  '/control/next-due': async ({ pool }, fields) => ({ due_at: await nextDue(pool, fields.text('account')) }),
  '/control/run-due': (simulator, fields) =>
    runDue(simulator, fields.text('account'), fields.instant('until')),
  '/control/clock': async ({ pool }, fields) => {
    await pool.query(
      `insert into simulator.accounts (account, clock_offset_ms) values ($1, $2)
        on conflict (account) do update set clock_offset_ms = excluded.clock_offset_ms`,
      [fields.text('account'), fields.integer('offset_ms')],
    );
    return {};
  },
  '/control/reset': reset,
  '/control/wallet-sessions': async ({ pool }, fields) => {
    const id = randomBytes(16).toString('hex');
    const expiresAt = new Date(Date.now() + WALLET_SESSION_MS);
    const session = {
      id,
      account: fields.text('account'),
      domainName: fields.text('domain_name'),
      expiresAt,
    };
    await insertWalletSession(pool, session);
    return { validation_url: validationUrl(id) };
  },
  '/control/wallet-tokens': async ({ walletTokenKey }, fields) => {
    const { token, expiresAt } = sealWalletToken(walletTokenKey, {
      createdAt: fields.instant('created_at'),
      domainName: fields.text('domain_name'),
      number: fields.text('number', CARD_NUMBER),
    });
    return { token, expires_at: expiresAt };
  },
  '/control/wallet-files': async ({ pool }, fields) => {
    await writeWalletFile(pool, fields.text('domain_name'), fields.text('content'));
    return {};
  },
};

async function simulate(simulator: Simulator, fields: Fields, outcome: EventName): Promise<object> {
  const account = fields.text('account');
  const event = {
    outcome,
    reference: fields.reference(),
    reason: fields.textOrNull('reason'),
    at: fields.instant('occurred_at'),
  };
  const result = await transaction<SimulationResult>(simulator.pool, async (tx) => {
    const operation = await readOperation(tx, account, event.reference);
    const payment = await lockPayment(tx, account, operation?.paymentReference ?? event.reference);
    if (!payment) return { why: 'The acquirer does not know this payment.' };
    return simulateEvent(tx, payment, event);
  });
  if (!result || 'why' in result) return { kind: 'not_allowed', why: result?.why };
  await simulator.outbox.drain(account, result.notified, DELIVERY_TIMEOUT_MS);
  return { kind: 'done' };
}

/** What a reset empties, in this order. The scripts are counted. */
const TABLES = [
  'scheduled_events',
  'script_steps',
  'notifications',
  'settlements',
  'dispute_changes',
  'dispute_evidence',
  'wallet_sessions',
  'operations',
  'payments',
] as const;

/** Deletes everything of the account except its clock. Returns how many scripts there were. */
async function reset({ pool }: Simulator, fields: Fields): Promise<object> {
  const account = fields.text('account');
  const scripts = await transaction(pool, async (tx) => {
    for (const table of TABLES) {
      await tx.query(`delete from simulator.${table} where account = $1`, [account]);
    }
    return (await tx.query('delete from simulator.scripts where account = $1', [account])).rowCount;
  });
  return { scripts };
}
