import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Configuration,
  CustomerAddressFromJSON,
  CustomersApi,
  PaymentsApi,
} from '../../../clients/typescript/dist/index.js';

// JavaScript has no types that hold a misspelt name back. What a service that takes everything is sent:
const bodies: unknown[] = [];
const config = new Configuration({
  basePath: 'http://127.0.0.1',
  fetchApi: async (_url, init) => {
    bodies.push(init?.body);
    return Response.json({});
  },
});
const payments = new PaymentsApi(config);
const customers = new CustomersApi(config);
const identifier = 'id';

/** What a call is refused with; nothing of it was sent. */
async function refused(call: Promise<unknown>): Promise<string> {
  const before = bodies.length;
  const fault = await call.then(
    () => assert.fail('It was sent.'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof TypeError, String(fault));
  assert.equal(bodies.length, before);
  return fault.message;
}

test('a misspelt field of a body is not sent', async () => {
  // @ts-expect-error
  const refund = payments.createRefund({ identifier, refundCreate: { amunt: 1990 } });
  assert.equal(await refused(refund), 'RefundCreate has no field amunt');
  // @ts-expect-error
  const capture = payments.capturePayment({ identifier, paymentCapture: { amunt: 1990 } });
  assert.equal(await refused(capture), 'PaymentCapture has no field amunt');
  // @ts-expect-error
  const update = customers.updateCustomer({ identifier, customerUpdate: { phone: { dddd: '11' } } });
  assert.equal(await refused(update), 'Phone has no field dddd');
});

test('a misspelt body or filter is not ignored', async () => {
  // @ts-expect-error
  const refund = payments.createRefund({ identifier, refund_create: { amount: 1990 } });
  assert.equal(await refused(refund), 'createRefund has no field refund_create');
  // @ts-expect-error
  const capture = payments.capturePayment({ identifier, payment_capture: { amount: 1990 } });
  assert.equal(await refused(capture), 'capturePayment has no field payment_capture');
  // @ts-expect-error
  const list = payments.listPayments({ customer_id: identifier });
  assert.equal(await refused(list), 'listPayments has no field customer_id');
});

test('an amount in place of its object is not an empty object', async () => {
  // @ts-expect-error
  const refund = payments.createRefund({ identifier, refundCreate: 1990 });
  assert.equal(await refused(refund), 'RefundCreate wants an object');
});

test('correct fields are sent, and so is an address that was read with a new field', async () => {
  bodies.length = 0;
  await payments.createRefund({ identifier, refundCreate: { amount: 1990 } });
  await payments.createRefund({ identifier });
  const address = CustomerAddressFromJSON({ line_1: 'Avenida Paulista', landmark: 'MASP' });
  await customers.updateCustomerRaw({ identifier, customerUpdate: { addresses: [address] } });
  assert.deepEqual(bodies, ['{"amount":1990}', undefined, '{"addresses":[{"line_1":"Avenida Paulista"}]}']);
});
