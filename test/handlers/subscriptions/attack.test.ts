/**
 * Hostile bodies for every operation that changes subscriptions. None may fail, each refusal names its field, and a
 * request that is refused writes nothing. `ATTACK_BODIES` sets how many bodies each operation gets, and `ATTACK_SEED`
 * the seed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { requestHasField } from '../../support/http/contract-fields.ts';
import { HostileBodies, UNKNOWN_NAMES } from '../../support/http/hostile-bodies.ts';
import { companyBody, customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import type { Json, TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { pixBody } from '../../support/subscriptions/pix-recurring-calls.ts';
import { offerOf, previewPlan } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const BODIES = Number(process.env.ATTACK_BODIES ?? 60);
const SEED = Number(process.env.ATTACK_SEED ?? 25);

const service = await sharedService({ jobs: false });
const { document, operations } = loadContract();

async function openShop(): Promise<Shop> {
  const shop = await Shop.open(service);
  await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000 });
  return shop;
}

const recipientOf = async (shop: Shop) => (await created(shop.post('/recipients', companyBody()))).id;

/** Ids of one object of each kind of another merchant. */
async function idsOfOther(): Promise<string[]> {
  const other = await openShop();
  const { id, customer_id, card_id, payment } = await subscribed(other);
  const offer_id = await offerOf(other, 9_990);
  const { preview_id } = (await previewPlan(other, id, { offer_id })).body.data;
  return [id, customer_id, card_id, payment.id, offer_id, preview_id, await recipientOf(other)];
}
const foreignIds = await idsOfOther();

const TABLES = [
  'subscriptions',
  'subscription_invoices',
  'payments',
  'payment_operations',
  'mandates',
  'plan_previews',
  'events',
  'customers',
  'cards',
  'ledger_transfers',
];

/** How many rows of each table the merchant has. */
async function rowsOf({ account }: Shop): Promise<Json> {
  const counts = TABLES.map(
    (table) => `(select count(*)::int from ${table} where merchant_id = :account) as ${table}`,
  );
  const [row] = await service.rows<Json>(`select ${counts.join(', ')}`, { account });
  return row;
}

/** A request of an attack: the operation, its path and a valid body. */
interface Target {
  readonly path: string;
  readonly valid: Json;
}

interface Attack {
  readonly operationId: string;
  target(shop: Shop): Promise<Target>;
  /** Whether an accepted request makes the target useless for the next one. */
  readonly usesUp?: boolean;
  /** Fields of a refusal that are not in the request: of the state, or of what the subscription has. */
  readonly elsewhere?: RegExp;
  readonly isOpen?: boolean;
}

const ITEM = { name: 'Clube', quantity: 1, amount: 4_990 };

const ATTACKS: readonly Attack[] = [
  {
    operationId: 'createSubscription',
    async target(shop) {
      const body = await subscriptionBody(shop, { items: [ITEM], code: undefined });
      const split = [{ recipient_id: await recipientOf(shop), type: 'fixed', amount: 4_990 }];
      return { path: '/charges/subscriptions', valid: { ...body, payment: { ...body.payment, split } } };
    },
  },
  {
    operationId: 'createPixRecurringSubscription',
    async target(shop) {
      const valid = await pixBody(shop, { code: undefined }, { terms: { recurring_amount: 4_990 } });
      return { path: '/subscriptions', valid };
    },
  },
  {
    operationId: 'changePlan',
    async target(shop) {
      const { id } = await subscribed(shop);
      const offer_id = await offerOf(shop, 5_990);
      return { path: `/subscriptions/${id}/change-plan`, valid: { offer_id, effective: 'immediate' } };
    },
    elsewhere: /^(status|payment)$/,
  },
  {
    operationId: 'previewPlanChange',
    async target(shop) {
      const { id } = await subscribed(shop);
      const offer_id = await offerOf(shop, 5_990);
      return {
        path: `/subscriptions/${id}/change-plan/preview`,
        valid: { offer_id, effective: 'immediate' },
      };
    },
  },
  {
    operationId: 'updatePaymentMethod',
    async target(shop) {
      const { id, customer_id } = await subscribed(shop);
      const credit_card = { id: await shop.card(customer_id, '5555555555554444') };
      return {
        path: `/subscriptions/${id}/payment-method`,
        valid: { payment_method: 'credit_card', credit_card },
      };
    },
    elsewhere: /^customer\.(addresses|documents)$/,
  },
  {
    operationId: 'cancelSubscription',
    async target(shop) {
      const { id } = await subscribed(shop);
      return { path: '/subscriptions/cancel', valid: { id, reason: 'Moving abroad' } };
    },
    usesUp: true,
    elsewhere: /^status$/,
  },
  {
    operationId: 'createCheckoutSubscription',
    async target(shop) {
      const page = await CheckoutPage.ofLink(shop, {
        recurrence_interval: 'monthly',
        payment_methods: ['credit_card'],
      });
      const valid = await page.subscriptionBody({ customer: customerBody() });
      return { path: `/checkout/${page.hash}/subscriptions`, valid };
    },
    usesUp: true,
    isOpen: true,
    elsewhere: /^(status|encrypted\.\w+)$/,
  },
];

/** A name is shown without the characters that cannot be stored. */
const SHOWN_UNKNOWN_NAMES = UNKNOWN_NAMES.map((name) => name.replaceAll('\u0000', '\ufffd'));

/** The paths that a refusal names, in any of the shapes of the contract. */
function fieldsOf({ body }: TestAnswer): string[] {
  return Object.keys(body?.errors ?? body?.error?.details ?? {});
}

/** Whether a body has a field, which can be one that the contract does not have. */
function isIn(body: Json, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) && isIn(body[name], rest);
}

function isNamedField(attack: Attack, field: string, body: Json): boolean {
  if (attack.elsewhere?.test(field)) return true;
  const names = field.split('.');
  if (SHOWN_UNKNOWN_NAMES.includes(names.at(-1)!) || isIn(body, names)) return true;
  const wildcards = names.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.');
  const { path, method } = operations.get(attack.operationId)!;
  return requestHasField(document, path, method, wildcards);
}

/** Sends one hostile body. Returns whether it was accepted. */
async function strike(shop: Shop, attack: Attack, path: string, body: Json, what: string): Promise<boolean> {
  const { method } = operations.get(attack.operationId)!;
  const before = await rowsOf(shop);
  const key = attack.isOpen ? { key: null } : {};
  const answer = await shop.call(method.toUpperCase(), path, { body, ...key });
  assert.ok(answer.status < 500, `${answer.status} for ${what}: ${answer.text}`);
  if (answer.status < 300) return true;
  assert.deepEqual(await rowsOf(shop), before, `${what} was refused, and has written rows`);
  if (answer.status !== 422) return false;
  const fields = fieldsOf(answer);
  assert.ok(fields.length > 0, `${what}: ${answer.text}`);
  for (const field of fields) {
    assert.ok(isNamedField(attack, field, body), `${what}: the refusal names ${field}, which is no field`);
  }
  return false;
}

describe('hostile bodies are refused with the name of the field, and change nothing', () => {
  for (const [at, attack] of ATTACKS.entries()) {
    test(attack.operationId, async () => {
      const shop = await openShop();
      const bodies = new HostileBodies(new SeededRandom(SEED + at), attack.operationId, foreignIds);
      let target = await attack.target(shop);
      let accepted = 0;
      for (let count = 0; count < BODIES; count += 1) {
        const { body, changes } = bodies.next(target.valid);
        const what = `body ${count} of seed ${SEED + at} (${changes})`;
        if (!(await strike(shop, attack, target.path, body, what))) continue;
        accepted += 1;
        if (attack.usesUp) target = await attack.target(shop);
      }
      assert.ok(accepted < BODIES, 'not one body was refused');
      await shop.post('/sandbox/clock/advance', { days: 40 });
      await assertAcquirerAgrees(service, shop.account);
      const failures = service.log.filter(({ level }) => level === 'error');
      assert.deepEqual(failures, []);
    });
  }
});
