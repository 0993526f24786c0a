/** What the search of the docs finds, by the words that a merchant's developer in Brazil types, in both languages. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { mandateMachine } from '../../domain/payments/mandate-moves.ts';
import { PAYMENT_STATUS_MOVES } from '../../domain/payments/payment-status-moves.ts';
import { statusChangesByMethod } from '../../domain/subscriptions/status-changes.ts';
import { MAGIC_VALUES } from '../../gateway/simulator/magic-values.ts';
import { entriesOf } from '../../web/search-index.ts';
import { type Search, type SearchEntry, searchOf, tokensOf } from '../../web/search-ranking.ts';
import { SYNONYMS } from '../../web/search-words.ts';
import { type BuiltFile, siteFiles } from '../../web/site-files.ts';

/**
 * The title of the first result of a query. If several results have this title, the guide or the path follows after an
 * @.
 */
const FIRST: Readonly<Record<string, string>> = {
  refund: 'Refund@Cancel and refund',
  estorno: 'Cancel and refund@Guide',
  reembolso: 'Cancel and refund@Guide',
  devolução: 'Cancel and refund@Guide',
  'how do I refund a payment?': 'Refund a payment',
  cancel: 'Cancel@Cancel and refund',
  cancelamento: 'Cancel a payment',
  pix: 'Pix@Guide',
  'qr code': 'Create the QR code@Pix',
  'copia e cola': 'Create the QR code@Pix',
  cobrança: 'Create an order by card, Pix, boleto or wallet',
  installment: 'Create an order by card, Pix, boleto or wallet',
  parcelas: 'Create an order by card, Pix, boleto or wallet',
  'cartão de crédito': 'Credit card@Credit and debit cards',
  pedido: 'Create an order by card, Pix, boleto or wallet',
  tokenize: 'Store a card',
  card: 'Store a card',
  cartão: 'Store a card',
  'pagamento recusado': 'Refused payments@Errors',
  'PAGAMENTO RECUSADO': 'Refused payments@Errors',
  'pagamentos recusados': 'Refused payments@Errors',
  'pagamento falhou': 'Refused payments@Errors',
  'cartão recusado': 'Refused payments@Errors',
  'cartao recusado': 'Refused payments@Errors',
  'cartão negado': 'Refused payments@Errors',
  'payment failed': 'Refused payments@Errors',
  'payment declined': 'Refused payments@Errors',
  'card declined': 'Refused payments@Errors',
  declined: 'Refused payments@Errors',
  webhook: 'Webhooks@Guide',
  webhooks: 'Webhooks@Guide',
  'retry-after': 'A client that retries@Idempotency and retries',
  'Retry After': 'A client that retries@Idempotency and retries',
  timeout: 'Idempotency and retries',
  'time-out': 'Idempotency and retries',
  chargeback: 'Disputes@Guide',
  'test card': 'Test values and scripts',
  'cartão de teste': 'Test values and scripts',
  '4000000000000002': '4000000000000002@Test values and scripts › Test cards',
  '4000 0000 0000 0002': '4000000000000002@Test values and scripts › Test cards',
  '4242-4242-4242-4242': '4242424242424242@Test values and scripts › Test cards',
  '4000 0000 0000 025': '4000000000000259@Test values and scripts › Test cards',
  '999.900.001-07': '99990000107@Test values and scripts › Test CPFs of the customer',
  '999,900.02': '99990002@Test values and scripts › Test amounts of a Pix or boleto',
  'going live': 'Going live@Environments and going live',
  produção: 'Environments and going live',
  'rate limit': 'Rate limits@Authentication and keys',
  'limite de requisições': 'Rate limits@Authentication and keys',
  429: '429@Errors › What to do, by status',
  503: '503@Errors › What to do, by status',
  404: '404@Errors › What to do, by status',
  'x-request-id': 'For help: X-Request-Id@Errors',
  antifraude: 'Fraud is suspected',
  'api key': 'Authentication and keys',
  'chave de API': 'Authentication and keys',
  bearer: 'Authentication and keys',
  revoke: 'Authentication and keys',
  idempotency: 'Idempotency and retries',
  duplicate: 'duplicate@Test your webhooks › Faults',
  'duplicate order': 'The key@Idempotency and retries',
  error: 'Errors@Guide',
  erros: 'Errors@Guide',
  idempotency_key_reused: 'idempotency_key_reused@Errors › Codes',
  idempotency_in_flight: 'idempotency_in_flight@Errors › Codes',
  invalid_encrypted_card: 'invalid_encrypted_card@Errors › Codes',
  validation_error: 'validation_error@Errors › Codes',
  overloaded: 'overloaded@Errors › Codes',
  unauthorized: 'unauthorized@Errors › Codes',
  waiting_payment: 'waiting_payment@States of a payment › What each status means',
  has_more: 'Pagination',
  paginação: 'Pagination',
  sdk: 'Clients for partners',
  php: 'Clients for partners',
  kotlin: 'Clients for partners',
  criptografia: 'Card encryption',
  mock: 'Test values and scripts',
  relógio: 'The clock',
  encryptcard: 'In the browser@Card encryption',
  boleto: 'Boleto@Guide',
  'apple pay': 'Wallets',
  assinatura: 'Create a subscription',
  recorrência: 'Create a subscription',
  'payment link': 'Create a payment link',
  'link de pagamento': 'Create a payment link',
  doação: 'Payment links@Guide',
  offer: 'Products and offers@Guide',
  oferta: 'Products and offers@Guide',
  plano: 'Products and offers@Guide',
  produto: 'Create a product',
  split: 'The split of an order',
  '3ds': 'Not yet: 3-D Secure (3DS)',
};

/** What a query finds among the first eight. */
const FOUND: readonly (readonly [query: string, found: string])[] = [
  ['boleto', 'Create an order by card, Pix, boleto or wallet'],
  ['pix', 'Create an order by card, Pix, boleto or wallet'],
  ['qr code', 'Create an order by card, Pix, boleto or wallet'],
  ['copia e cola', 'Create an order by card, Pix, boleto or wallet'],
  ['cartão de crédito', 'Create an order by card, Pix, boleto or wallet'],
  ['webhook', 'Create a webhook endpoint'],
  ['callback', 'Create a webhook endpoint'],
  ['webhok', 'Create a webhook endpoint'],
  ['manual capture', 'Capture a payment'],
  ['partial capture', 'Reserve now, capture later@Credit and debit cards'],
  ['pré-autorização', 'Credit and debit cards@Guide'],
  ['expired', 'A payment expires'],
  ['expired', 'expired@States of a payment › What each status means'],
  ['stolen_card', 'Refused payments@Errors'],
  ['refund_denied', 'Simulate what happens to a payment'],
  ['pagamento', 'List payments'],
  ['end_to_end_id', 'Read a payment'],
  ['txid', 'Read a payment'],
  ['soft decline', 'Refused payments@Errors'],
  ['payment.refused', 'A payment is refused'],
  ['createRefund', 'Refund a payment'],
  ['refund', 'Refund a payment'],
  ['estorno', 'Refund a payment'],
  ['reembolso', 'Refund a payment'],
  ['devolução', 'Refund a payment'],
  ['cancel', 'Cancel a payment'],
  ['preço', 'A subscription with a price ladder@Products and offers'],
  ['trial_days', 'Create an offer'],
  ['payment link', 'Payment links@Guide'],
  ['max_payments', 'Create a payment link'],
];

describe('the search of the docs', () => {
  let files: BuiltFile[];
  let entries: SearchEntry[];
  let search: Search;
  const content = (path: string) => String(files.find((file) => file.path === path)?.content ?? '');
  before(async () => {
    files = await siteFiles({
      paymentMoves: PAYMENT_STATUS_MOVES,
      subscriptionChanges: statusChangesByMethod(),
      mandateMoves: mandateMachine.moves,
      testValues: MAGIC_VALUES,
    });
    entries = entriesOf(JSON.parse(content('/docs/search.json')));
    search = searchOf(entries);
  });

  const isMeant = (found: string) => {
    const [title, where] = found.split('@');
    return (entry: SearchEntry) => entry.title === title && (where === undefined || entry.where === where);
  };
  const shown = (found: readonly SearchEntry[]) => found.map(({ title, where }) => `${title}@${where}`);

  for (const [query, first] of Object.entries(FIRST))
    test(`${query}: first ${first}`, () => {
      const found = search(query);
      assert.ok(found[0] !== undefined && isMeant(first)(found[0]), `It finds ${shown(found).join(' | ')}.`);
    });

  for (const [query, one] of FOUND)
    test(`${query}: ${one}`, () => {
      const found = search(query);
      assert.ok(found.some(isMeant(one)), `It finds ${shown(found).join(' | ')}.`);
    });

  test('a guide comes before the payload of an event', () => {
    for (const query of ['refused', 'expired', 'chargeback', 'refund', 'pagamento recusado']) {
      const kinds = search(query).map(({ kind }) => kind);
      const [guide, event] = [kinds.findIndex((kind) => kind !== 'event'), kinds.indexOf('event')];
      assert.ok(guide >= 0 && (event === -1 || guide < event), `${query}: ${kinds}`);
    }
  });

  test('an empty query finds nothing, and a query of common words finds pages with these words', () => {
    assert.deepEqual(search(''), []);
    assert.deepEqual(search(' ?! '), []);
    assert.deepEqual(search('xyzzyx qwrtzp'), []);
    assert.ok(search('what to do').length > 0);
  });

  test('one page does not fill all results', () => {
    const pages = search('card', 8).map(({ href, kind }) =>
      kind === 'operation' ? href : href.split('#')[0],
    );
    for (const page of new Set(pages)) assert.ok(pages.filter((one) => one === page).length <= 3, page);
  });

  test('every operation, event, test value and code of the tables can be found', () => {
    const contract = JSON.parse(content('/docs/openapi.json'));
    const operations = Object.values(contract.paths as object).flatMap((item) => Object.values(item));
    const of = (kind: SearchEntry['kind']) => entries.filter((entry) => entry.kind === kind);
    assert.equal(of('operation').length, operations.length);
    assert.equal(of('event').length, Object.keys(contract.webhooks).length);
    const values = new Set(of('value').map(({ title }) => title));
    assert.deepEqual(
      MAGIC_VALUES.filter(({ value }) => !values.has(value)),
      [],
    );
  });

  test('every result in a guide exists', () => {
    const guides = entries.filter(({ href }) => href.startsWith('/docs/guides/'));
    assert.ok(guides.length > 150);
    for (const { href } of guides) {
      const [path, anchor] = href.split('#') as [string, string?];
      assert.ok(content(path) !== '', path);
      if (anchor !== undefined) assert.ok(content(path).includes(` id="${anchor}"`), href);
    }
  });

  test('the ids of a page are unique', () => {
    for (const { path, content: html } of files.filter(({ file }) => file.endsWith('.html'))) {
      const ids = [...String(html).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i && id !== 'arrow'),
        [],
        path,
      );
    }
  });

  test('synonyms are written in their normalized form', () => {
    for (const word of SYNONYMS.flat()) assert.deepEqual(tokensOf(word), [word]);
  });
});
