import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CNPJ, CPF, customerBody, OTHER_CPF } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let key: string;
const ids: string[] = [];
before(async () => {
  service = await startTestService();
  key = service.merchant.apiKey;
  const cpf = { type: 'cpf', value: CPF };
  const bodies = [
    customerBody({ email: 'Um@example.com', documents: [cpf] }),
    customerBody({ documents: [{ type: 'cpf', value: OTHER_CPF }] }),
    customerBody({ documents: [{ type: 'passport', value: 'FX1' }, cpf] }),
    customerBody(),
    customerBody({ documents: [cpf, { type: 'cnpj', value: CNPJ }] }),
  ];
  for (const body of bodies) ids.push((await service.call('POST', '/customers', { key, body })).body.id);
  for (const [index, id] of ids.entries()) {
    const at = `2026-03-0${index + 1}T03:00:00Z`; // midnight in São Paulo
    await service.deps.db.anywhere('update customers set created_at = :at where id = :id', { at, id });
  }
});
after(() => service.stop());

const list = (query: string, as = key) => service.call('GET', `/customers${query}`, { key: as });

/** The positions, 0 for the first that was created, of what a list answers. */
async function listed(query: string): Promise<number[]> {
  const { status, body } = await list(query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ id }: { id: string }) => ids.indexOf(id));
}

describe('200', () => {
  it('lists all customers, newest first, each as its GET returns it', async () => {
    assert.deepEqual(await listed(''), [4, 3, 2, 1, 0]);
    const { body } = await list('');
    assert.deepEqual(body.pagination, { per_page: 20, has_more: false, next_cursor: null });
    assert.deepEqual(body.data[0], (await service.call('GET', `/customers/${ids[4]}`, { key })).body);
  });

  it('pages through all customers, and through those with one document', async () => {
    const { body: first } = await list('?per_page=3');
    assert.equal(first.data.length, 3);
    assert.deepEqual(await listed(`?per_page=3&cursor=${first.pagination.next_cursor}`), [1, 0]);
    const { body: found } = await list(`?per_page=2&document=${CPF}`);
    assert.equal(found.pagination.has_more, true);
    assert.deepEqual(await listed(`?document=${CPF}&cursor=${found.pagination.next_cursor}`), [0]);
  });

  it('filters by e-mail in any case and by any document, also together', async () => {
    assert.deepEqual(await listed('?email=uM@EXAMPLE.com'), [0]);
    assert.deepEqual(await listed(`?document=${CPF}`), [4, 2, 0]);
    assert.deepEqual(await listed(`?document=${CNPJ}`), [4]);
    assert.deepEqual(await listed('?document=FX1'), [2]);
    assert.deepEqual(await listed(`?document=${CPF}&email=um@example.com`), [0]);
    assert.deepEqual(await listed(`?document=${OTHER_CPF}&email=um@example.com`), []);
    assert.deepEqual(await listed('?document=%22%7D%5D'), []);
  });

  it('filters by time: whole days, exact instants, with both ends', async () => {
    assert.deepEqual(await listed('?created_from=2026-03-02&created_to=2026-03-04'), [3, 2, 1]);
    assert.deepEqual(await listed('?created_to=2026-03-02T03:00:00Z'), [1, 0]);
    assert.deepEqual(await listed(`?created_from=2026-03-02&document=${CPF}`), [4, 2]);
  });

  it('lists none of another merchant', async () => {
    const stranger = (await service.newMerchant()).apiKey;
    const { body: first } = await list('?per_page=1');
    const queries = [
      '',
      `?cursor=${first.pagination.next_cursor}`,
      `?document=${CPF}`,
      '?email=um@example.com',
    ];
    for (const query of queries) assert.deepEqual((await list(query, stranger)).body.data, [], query);
  });
});

describe('422', () => {
  it('reports every wrong parameter', async () => {
    const refusals: [string, string[]][] = [
      ['?per_page=0', ['per_page']],
      ['?per_page=101', ['per_page']],
      ['?cursor=x', ['cursor']],
      ['?email=a%00b&document=%00', ['document', 'email']],
      [`?email=${'a'.repeat(192)}`, ['email']],
      ['?created_from=2024-02-30&created_to=2024-13-01', ['created_from', 'created_to']],
      ['?document=', ['document']],
    ];
    for (const [query, fields] of refusals) {
      const { status, body } = await list(query);
      assert.equal(status, 422, query);
      assert.deepEqual(Object.keys(body.errors).sort(), fields, query);
    }
  });
});
