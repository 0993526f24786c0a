import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CPF, companyBody, individualBody } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let key: string;
const ids: string[] = [];
before(async () => {
  service = await startTestService();
  key = (await service.newMerchant()).apiKey;
  const bodies = [
    companyBody({ email: 'Um@example.com' }),
    individualBody({ status: 'pending' }),
    companyBody({ status: 'pending', external_reference: 'outra' }),
    companyBody({ status: 'blocked' }),
    individualBody(),
  ];
  for (const body of bodies) ids.push((await service.call('POST', '/recipients', { key, body })).body.id);
  for (const [index, id] of ids.entries()) {
    const at = `2026-03-0${index + 1}T03:00:00Z`; // midnight in São Paulo
    await service.deps.db.anywhere('update recipients set created_at = :at where id = :id', { at, id });
  }
});
after(() => service.stop());

const list = (query: string, as = key) => service.call('GET', `/recipients${query}`, { key: as });

/** The positions, 0 for the first that was created, of what a list answers. */
async function listed(query: string): Promise<number[]> {
  const { status, body } = await list(query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ id }: { id: string }) => ids.indexOf(id));
}

describe('200', () => {
  it('lists all recipients, newest first, each as its GET returns it', async () => {
    const { body } = await list('');
    assert.deepEqual(await listed(''), [4, 3, 2, 1, 0]);
    assert.deepEqual(body.pagination, { per_page: 20, has_more: false, next_cursor: null });
    assert.deepEqual(body.data[0], (await service.call('GET', `/recipients/${ids[4]}`, { key })).body);
  });

  it('pages through all recipients', async () => {
    const seen: string[] = [];
    let query = '?per_page=2';
    for (;;) {
      const { body } = await list(query);
      seen.push(body.data.map(({ id }: { id: string }) => ids.indexOf(id)).join(' '));
      assert.equal(body.pagination.has_more, body.pagination.next_cursor !== null);
      if (!body.pagination.has_more) break;
      query = `?per_page=2&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
    }
    assert.deepEqual(seen, ['4 3', '2 1', '0']);
  });

  it('filters by status, type, e-mail in any case, document and reference, also together', async () => {
    assert.deepEqual(await listed('?status=pending'), [2, 1]);
    assert.deepEqual(await listed('?type=individual'), [4, 1]);
    assert.deepEqual(await listed('?email=uM@EXAMPLE.com'), [0]);
    assert.deepEqual(await listed(`?document=${CPF}`), [4, 1]);
    assert.deepEqual(await listed('?external_reference=outra'), [2]);
    assert.deepEqual(await listed('?status=pending&type=individual'), [1]);
    assert.deepEqual(await listed('?email=nobody@example.com'), []);
  });

  it('filters by time: whole days, exact instants, with both ends', async () => {
    assert.deepEqual(await listed('?created_from=2026-03-02&created_to=2026-03-04'), [3, 2, 1]);
    assert.deepEqual(await listed('?created_to=2026-03-02T03:00:00Z'), [1, 0]);
    assert.deepEqual(await listed('?created_to=2026-03-02T02:59:59.999Z'), [0]);
    assert.deepEqual(await listed('?created_from=2026-03-05T00:00:00-03:00'), [4]);
    assert.deepEqual(await listed('?created_from=2026-03-05T03:00:00.000001Z'), []);
  });

  it('lists none of another merchant', async () => {
    const stranger = (await service.newMerchant()).apiKey;
    const { body: first } = await list('?per_page=1');
    for (const query of [
      '',
      `?cursor=${first.pagination.next_cursor}`,
      '?status=pending',
      `?document=${CPF}`,
    ]) {
      assert.deepEqual((await list(query, stranger)).body.data, [], query);
    }
  });
});

describe('422', () => {
  it('reports every wrong parameter', async () => {
    const refusals: [string, string[]][] = [
      ['?per_page=0', ['per_page']],
      ['?per_page=101', ['per_page']],
      ['?per_page=ten&status=new', ['per_page', 'status']],
      ['?per_page=2.5', ['per_page']],
      ['?per_page=1e400', ['per_page']],
      ['?cursor=x', ['cursor']],
      ['?cursor=', ['cursor']],
      [`?cursor=${'A'.repeat(32)}`, ['cursor']],
      ['?cursor=%00', ['cursor']],
      ['?created_from=2024-02-30', ['created_from']],
      ['?created_to=0000-01-01&created_from=yesterday', ['created_from', 'created_to']],
      ['?created_from=2026-01-01T25:00:00Z', ['created_from']],
      ['?status=pending&status=blocked', ['status']],
    ];
    for (const [query, fields] of refusals) {
      const { status, body } = await list(query);
      assert.equal(status, 422, query);
      assert.deepEqual(Object.keys(body.errors).sort(), fields, query);
    }
  });

  it('refuses text that cannot be stored, in any filter', async () => {
    for (const name of ['email', 'document', 'external_reference']) {
      const { status, body } = await list(`?${name}=a%00b`);
      assert.equal(status, 422, name);
      assert.deepEqual(Object.keys(body.errors), [name]);
    }
  });
});
