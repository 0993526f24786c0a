import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { domainWords } from '../../handlers/words.ts';
import { createCustomer } from '../../services/customers/create-customer.ts';
import { returnResult } from '../../services/deps.ts';
import { authenticate } from '../../services/merchants/authenticate.ts';
import { createRecipient } from '../../services/recipients/create-recipient.ts';
import type { NewRecipient } from '../../services/recipients/recipient-rules.ts';
import { BANK_ACCOUNT, companyBody, customerBody } from '../support/orders/parties.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let merchant: Merchant;
before(async () => {
  service = await startTestService();
  merchant = (await authenticate(service.deps, service.merchant.apiKey)).merchant;
});
after(() => service.stop());

const newId = () => uuidV7(Date.now(), service.deps.random);

it('a customer that an earlier run of the same request created is returned as created', async () => {
  const input = { ...customerBody(), id: newId() };
  const first = await createCustomer(service.deps, merchant, input, returnResult);
  assert.deepEqual(await createCustomer(service.deps, merchant, input, returnResult), first);
});

it('a recipient that an earlier run created is returned as created, also after a change of its e-mail', async () => {
  const body = domainWords(companyBody({ bank_account: BANK_ACCOUNT })) as unknown as NewRecipient;
  const input = { ...body, id: newId() };
  const first = await createRecipient(service.deps, merchant, input, returnResult);
  assert.equal(first.created, true);
  await service.call('PUT', `/recipients/${input.id}`, { body: { email: 'changed@example.com' } });
  const again = await createRecipient(service.deps, merchant, input, returnResult);
  assert.deepEqual([again.created, again.recipient.id], [true, input.id]);
  const next = await service.call('POST', '/recipients', { body: companyBody() });
  assert.equal(next.body.number, first.recipient.number + 1);
});

it('everything is rolled back when the answer cannot be stored', async () => {
  const before = await nextNumber();
  const failing = async () => assert.fail('The answer cannot be kept.');
  const customer = { ...customerBody(), id: newId() };
  await assert.rejects(createCustomer(service.deps, merchant, customer, failing));
  const recipient = domainWords(companyBody()) as unknown as NewRecipient;
  await assert.rejects(createRecipient(service.deps, merchant, { ...recipient, id: newId() }, failing));
  assert.equal((await service.call('GET', `/customers/${customer.id}`)).status, 404);
  assert.deepEqual((await service.call('GET', `/recipients?email=${recipient.email}`)).body.data, []);
  assert.equal(await nextNumber(), before + 1);
});

async function nextNumber(): Promise<number> {
  return (await service.call('POST', '/recipients', { body: companyBody() })).body.number;
}
