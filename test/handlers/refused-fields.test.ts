import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadContract } from '../../handlers/http/load-contract.ts';
import { type FieldNames, wirePath } from '../../handlers/http/wire-paths.ts';
import { handlers } from '../../handlers/index.ts';
import { refusedPaths } from '../support/architecture/refused-paths.ts';
import { requestHasField } from '../support/http/contract-fields.ts';

/** Refused fields that are not in the request itself. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  // In the document that `encrypted` holds.
  createCard: /^encrypted\.(number|holder|expMonth|expYear|securityCode)$/,
  // In the document that `encrypted` holds, and of orders that merchants create.
  createCheckoutPayment:
    /^(encrypted\.(number|holder|expMonth|expYear|securityCode)|code|customer\.id|payment\.((credit|debit)_card\.id|browser_wallet\.\w+)|split\.\*\.recipient)$/,
  // In the document that `encrypted` holds, and of subscriptions that merchants create.
  createCheckoutSubscription:
    /^(encrypted\.(number|holder|expMonth|expYear|securityCode)|status|code|currency|customer\.id|installments|mcc|method|notification_url|start_at|next_charge_amount|payment\.(method|(credit|debit)_card\.id|(browser_wallet|bank_slip|pix|pix_recurring)\.\w+)|split|split\.\*\.recipient)$/,
  // Of the card that the request names.
  requestNetworkToken: /^brand$/,
  // Of the methods of payments by which no subscription is paid.
  createSubscription: /^payment\.debit_card\.id$/,
  // Of the charge of an upgrade, with the subscription's customer and card.
  changePlan: /^(payment(\.\w+\.\w+)?|customer\.(addresses|documents))$/,
  // Of fields and methods that only POST /charges/subscriptions has.
  createPixRecurringSubscription:
    /^(payment\.(installments|(credit|debit)_card\.id|(browser_wallet|bank_slip|pix)\..+)|customer\.(addresses|documents)|start_at|next_charge_amount|items(\..+)?)$/,
  updatePaymentMethod:
    /^(debit_card\.id|browser_wallet\.capture_delay_hours|customer\.addresses|customer\.documents)$/,
};

const DOMAIN_NAME = /^(\*|[a-z][A-Za-z0-9]*(_centavos|_ms|_s)?)$/;

const contract = loadContract();
const refused = refusedPaths();
const namesOf = (id: string) =>
  (handlers[id as keyof typeof handlers] as { readonly fieldNames?: FieldNames }).fieldNames ?? {};

describe('the fields that an operation can refuse', () => {
  it('are found for every operation of the contract', () => {
    assert.deepEqual([...refused.keys()].sort(), [...contract.operations.keys()].sort());
  });

  it('are found through helpers, prefixes, lists and spreads', () => {
    assert.deepEqual(refused.get('createOrder')!.paths, [
      'amount_centavos',
      'code',
      'currency',
      'customer.addresses',
      'customer.addresses.*.country',
      'customer.documents',
      'customer.documents.*.value',
      'customer.email',
      'customer.id',
      'installments',
      'mcc',
      'notificationUrl',
      'payment.bankSlip.dueAt',
      'payment.browserWallet.browserWalletToken',
      'payment.browserWallet.captureDelayHours',
      'payment.creditCard.id',
      'payment.debitCard.id',
      'payment.method',
      'payment.pix.expiresAt',
      'split',
      'split.*.recipient',
    ]);
    assert.deepEqual(refused.get('advanceClock')!.paths, ['days', 'to']);
    assert.deepEqual(refused.get('getClock')!.paths, []);
  });

  for (const [id, { paths, unreadable }] of refused) {
    it(`of ${id} are literals in the code, and domain paths`, () => {
      assert.deepEqual(unreadable, []);
      const wrong = paths.filter((path) => !path.split('.').every((name) => DOMAIN_NAME.test(name)));
      assert.deepEqual(wrong, []);
    });

    it(`of ${id} are fields of its request`, () => {
      const { method, path } = contract.operations.get(id)!;
      const missing = paths
        .map((name) => wirePath(name, namesOf(id)))
        .filter((field) => !ELSEWHERE[id]?.test(field))
        .filter((field) => !requestHasField(contract.document, path, method, field));
      assert.deepEqual(missing, []);
    });

    it(`of ${id} include every mapped field`, () => {
      assert.deepEqual(
        Object.keys(namesOf(id)).filter((path) => !paths.some((each) => `${each}.`.startsWith(`${path}.`))),
        [],
      );
    });
  }
});

describe('the path of a refused field in the request', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['createdFrom', {}, 'created_from'],
    ['bankAccount.bankIspb', {}, 'bank_account.bank_ispb'],
    ['addresses.0.line1', {}, 'addresses.0.line_1'],
    ['managingPartners.12.document', {}, 'managing_partners.12.document'],
    ['amount_centavos', { amount_centavos: 'payment.amount' }, 'payment.amount'],
    ['amount_centavos', {}, 'amount_centavos'],
    ['payment.creditCard.id', { payment: '' }, 'credit_card.id'],
    ['payment.method', { payment: '', 'payment.method': 'payment_method' }, 'payment_method'],
    ['split.2.recipientId', { split: 'payment.split' }, 'payment.split.2.recipient_id'],
    [
      'items.3.prices.10.amount',
      { 'items.*.prices.*.amount': 'lines.*.tiers.*.value' },
      'lines.3.tiers.10.value',
    ],
  ];
  for (const [path, names, wire] of cases) {
    it(`${path} is ${wire}`, () => assert.equal(wirePath(path, names), wire));
  }
});
