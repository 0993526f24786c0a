import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** The statement descriptor that the acquirer gets for an order of a merchant of this name. */
async function descriptorSent(name: string, sent?: string): Promise<string | null> {
  const shop = await Shop.open(service, { name });
  const body = await shop.cardOrderBody();
  Object.assign(body.payment.credit_card, sent === undefined ? {} : { statement_descriptor: sent });
  const asked = Promise.withResolvers<string | null>();
  const spy = service.intercept((real) => ({
    authorize: (request) => {
      asked.resolve(request.statementDescriptor);
      return real.perform(request);
    },
  }));
  try {
    assert.equal((await shop.post('/charges/orders', body)).status, 201);
    return await asked.promise;
  } finally {
    spy.undo();
  }
}

describe('the text on the card statement', () => {
  test('is that of the order', async () => {
    assert.equal(await descriptorSent('Loja de Teste', 'PEDIDO 1001'), 'PEDIDO 1001');
  });

  test('is otherwise the merchant’s name without accents, cut to 22 characters', async () => {
    assert.equal(await descriptorSent('Pães & Doçarias São João do Vale'), 'Paes & Docarias Sao Jo');
    assert.equal(await descriptorSent('Pães, Doçarias e Cafés do Vale'), 'Paes, Docarias e Cafes');
  });

  test('is printable also if a link has stored another one', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofLink(shop, { soft_descriptor: 'OFICINA' });
    const asked: (string | null)[] = [];
    const spy = service.intercept((real) => ({
      authorize: (request) => {
        asked.push(request.statementDescriptor);
        return real.perform(request);
      },
    }));
    for (const stored of ['CAFÉ\nDA\tESQUINA', '日本']) {
      await service.rows('update payment_links set soft_descriptor = :stored where id = :id', {
        stored,
        id: page.id,
      });
      await page.paid(await page.cardBody());
    }
    spy.undo();
    assert.deepEqual(asked, ['CAFE DA ESQUINA', 'Outra Loja']);
  });

  test('is left to the acquirer if that name has no Latin letters', async () => {
    assert.equal(await descriptorSent('日本'), null);
  });
});
