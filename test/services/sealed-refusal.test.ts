import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Acquirer } from '../../gateway/acquirer.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

it('a charge that reaches the acquirer after its reference was closed is refused with a message of the contract', async () => {
  const { acquirer } = service.deps;
  // What the reconciler does while the request is still on its way.
  const sealsFirst: Acquirer['perform'] = async (command) => {
    await acquirer.inquire({ reference: command.reference, account: command.account, seal: true });
    return acquirer.perform(command);
  };
  Object.assign(service.deps, { acquirer: { ...acquirer, perform: sealsFirst } });
  const { status, body } = await service.call('POST', '/charges/orders', {
    body: {
      code: 'sealed-1',
      mcc: '5734',
      customer: { name: 'Ana Souza', email: 'ana@example.com' },
      payment: { amount: 1_000, payment_method: 'pix' },
    },
  });
  assert.equal(status, 201);
  assert.equal(body.payment.status, 'refused');
  assert.equal(body.payment.refusal.code, 'processing_error');
});
