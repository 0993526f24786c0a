import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newCustomer } from '../../support/cards/card-calls.ts';
import { AMEX, cardDocument, encryptCard, encryptJwe, VISA } from '../../support/cards/cards.ts';
import { findInDatabase } from '../../support/db/search-database.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

/** Good numbers that no other test uses. Codes are looked for in quotes, as JSON would have them. */
const PLANTED = [
  { ...VISA, number: '4929718253604711', securityCode: '814' },
  { ...AMEX, number: '374961582037462', securityCode: '8147' },
];
const HOLDER = 'PLANTED HOLDER';

let service: TestService;
const sent: string[] = [];

before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** Everything that can be done with a card, rightly and wrongly. */
async function useCards(): Promise<void> {
  const customerId = await newCustomer(service);
  const { body: key } = await service.call('GET', '/cards/encryption-key');
  const post = (encrypted: string, idempotencyKey: string) => {
    sent.push(encrypted);
    return service.call('POST', '/cards', { body: { customer_id: customerId, encrypted }, idempotencyKey });
  };
  for (const plain of PLANTED) {
    const card = { ...plain, holder: HOLDER };
    const encrypted = encryptCard(card, service.merchant.encryptionKey);
    const { status, body } = await post(encrypted, `aes ${card.brand} ${card.number.length}`);
    assert.equal(status, 201);
    const inJwe = await post(await encryptJwe(cardDocument(card), key.jwk), `jwe ${card.number.length}`);
    const past = await post(
      encryptCard({ ...card, expYear: '20' }, service.merchant.encryptionKey),
      `past ${card.number.length}`,
    );
    const broken = await post(encrypted.slice(24), `broken ${card.number.length}`);
    assert.deepEqual([inJwe.status, past.status, broken.status], [201, 422, 400]);
    await fetchDueTokens(service.deps);
    const order = await service.call('POST', '/charges/orders', {
      body: {
        code: `planted-${card.number.length}`,
        mcc: '5734',
        customer: { id: customerId },
        payment: { amount: 12_990, payment_method: 'credit_card', credit_card: { id: body.id } },
      },
    });
    assert.deepEqual([order.status, order.body.payment?.status], [201, 'paid']);
    // By plain mistake of the caller, too.
    await post(cardDocument(card), `plain ${card.number.length}`);
    await service.call('POST', '/cards', { rawBody: `${cardDocument(card)}{` });
    await service.call('POST', '/cards', { body: { ...card, customer_id: customerId } });
  }
}

async function filesUnder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
  return texts.join('\n');
}

test('no table, log or file of a run contains a card number, a security code, or an encrypted card as it was sent', async () => {
  await useCards();
  const secrets = [
    ...PLANTED.flatMap(({ number, securityCode }) => [number, `"${securityCode}"`, number.slice(2, -3)]),
    'securityCode":',
    ...sent.map((encrypted) => encrypted.slice(0, 64)),
  ];
  assert.deepEqual(await findInDatabase(service.deps.db, secrets), []);
  const written = JSON.stringify(service.log) + (await filesUnder(service.dataDir));
  assert.deepEqual(
    secrets.filter((secret) => written.includes(secret)),
    [],
  );
});

test('the same search finds values that may be stored', async () => {
  const found = await findInDatabase(service.deps.db, [HOLDER]);
  assert.deepEqual(found, [`public.cards: ${HOLDER}`]);
  const { merchant } = service.merchant;
  const plain = Buffer.from(PLANTED[0]!.number);
  await service.deps.db.transaction(merchant, async (tx) => {
    await tx.execute(merchant, 'update cards set number_sealed = :plain where {scope}', { plain });
  });
  assert.deepEqual(await findInDatabase(service.deps.db, [PLANTED[0]!.number]), [
    `public.cards: ${PLANTED[0]!.number}`,
  ]);
});
