import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasError, parsePix } from 'pix-utils';
import { crc16, parseBrCode } from '../../support/payments/parse-br-code.ts';
import { readQrImage } from '../../support/payments/png.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { statusesOf } from '../../support/shop.ts';

const { shop } = await sharedShop();

const place = (amount?: number, pix?: object): Promise<Json> => shop.placed(shop.pixOrderBody(amount, pix));

describe('201 by Pix', () => {
  test('waits for its payment', async () => {
    const { status, payment } = await place(12_990);
    assert.deepEqual([status, payment.status], ['pending', 'waiting_payment']);
    assert.deepEqual(statusesOf(payment), ['processing', 'waiting_payment']);
    assert.deepEqual([payment.captured_amount, payment.credit_card], [0, undefined]);
    assert.match(payment.pix.txid, /^[a-zA-Z0-9]{26,35}$/);
    assert.equal(payment.pix.end_to_end_id, null);
    const events = await shop.events(payment.id);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.status, data.pix.qr_code !== null]),
      [
        ['payment.created', 'processing', false],
        ['payment.updated', 'waiting_payment', true],
      ],
    );
    assert.deepEqual(events[1].data, await shop.payment(payment.id));
  });

  for (const [amount, decimal] of [
    [1, '0.01'],
    [12_990, '129.90'],
    [9_999_999_999, '99999999.99'],
  ] as const) {
    test(`has a BR Code over ${decimal} that another library can read`, async () => {
      const { qr_code } = (await place(amount)).payment.pix;
      const fields = parseBrCode(qr_code);
      assert.ok(fields, qr_code);
      assert.equal(qr_code.slice(-4), crc16(qr_code.slice(0, -4)));
      assert.deepEqual(
        ['00', '01', '26.00', '52', '53', '54', '58', '59', '60', '62.05'].map((id) => fields.get(id)),
        ['01', '12', 'br.gov.bcb.pix', '5734', '986', decimal, 'BR', 'LOJA DE TESTE', 'SAO PAULO', '***'],
      );
      assert.match(fields.get('26.25')!, /^[!-~]{1,77}$/);

      const theirs = parsePix(qr_code);
      assert.ok(!hasError(theirs), 'pix-utils reads it too');
      assert.deepEqual(
        [(theirs as Json).url, (theirs as Json).merchantName],
        [fields.get('26.25'), 'LOJA DE TESTE'],
      );
    });
  }

  test('has a QR code that a scanner reads as the same text', async () => {
    const { qr_code, qr_code_image } = (await place()).payment.pix;
    assert.equal(readQrImage(qr_code_image), qr_code);
  });

  test('has its own txid and location for each charge', async () => {
    const codes = await Promise.all(Array.from({ length: 5 }, () => place()));
    assert.equal(new Set(codes.map(({ payment }) => payment.pix.txid)).size, 5);
    assert.equal(new Set(codes.map(({ payment }) => payment.pix.qr_code)).size, 5);
  });

  test('can be paid for 30 minutes by default', async () => {
    const { payment } = await place();
    assert.equal(Date.parse(payment.pix.expires_at) - Date.parse(payment.created_at), 30 * 60_000);
  });

  test('can be paid until the requested instant, with any offset, at most 30 days ahead', async () => {
    const until = new Date(Date.now() + 30 * 86_400_000 - 5_000);
    const local = `${new Date(until.getTime() - 3 * 3_600_000).toISOString().slice(0, -1)}-03:00`;
    const { payment } = await place(5_000, { expires_at: local });
    assert.equal(Date.parse(payment.pix.expires_at), until.getTime());
    assert.match(payment.pix.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('can be paid by any payer', async () => {
    const { payment } = await place();
    await shop.simulate(payment.id, 'paid');
    const paid = await shop.payment(payment.id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 5_000]);
    assert.match(paid.pix.end_to_end_id, /^E\d{8}\d{12}[0-9A-Za-z]{11}$/);
    assert.deepEqual(statusesOf(paid), ['processing', 'waiting_payment', 'paid']);
    assert.deepEqual(await shop.eventNames(payment.id), [
      'payment.created',
      'payment.updated',
      'payment.updated',
    ]);
  });
});
