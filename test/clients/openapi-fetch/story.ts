import { createCipheriv, createHash, randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { paths } from '../../../clients/openapi-fetch/centavo.ts';

const { CENTAVO_URL = '', CENTAVO_LATER_URL = CENTAVO_URL } = process.env;
const { CENTAVO_KEY = '', CENTAVO_ENCRYPTION_KEY = '' } = process.env;

const at = (url: string) =>
  createClient<paths>({
    baseUrl: `${url}/api/v1`,
    headers: { Authorization: `Bearer ${CENTAVO_KEY}` },
  });
const api = at(CENTAVO_URL);
const run = randomUUID();

/** The data of an answer; throws the body of a refusal. */
async function done<Data>(call: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await call;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

// A customer. A boleto needs the document and the address.
const customer = await done(
  api.POST('/customers', {
    body: {
      name: 'Ana Souza',
      email: `ana-${run}@example.com`,
      documents: [{ type: 'cpf', value: '52998224725' }],
      addresses: [
        {
          type: 'billing',
          postal_code: '01310100',
          line_1: 'Avenida Paulista',
          number: '1000',
          neighborhood: 'Bela Vista',
          city: 'São Paulo',
          state: 'SP',
          country: 'BR',
        },
      ],
    },
  }),
);
console.log(`customer: ${customer.name}`);

// A card, encrypted with AES-256-CBC.
const plain = {
  cardData: {
    number: '4242424242424242',
    holder: 'ANA SOUZA',
    expMonth: '08',
    expYear: '39',
    securityCode: '123',
  },
};
const iv = createHash('md5').update(CENTAVO_ENCRYPTION_KEY).digest('hex').slice(0, 16);
const cipher = createCipheriv('aes-256-cbc', CENTAVO_ENCRYPTION_KEY, iv);
const encrypted = cipher.update(JSON.stringify(plain), 'utf8', 'base64') + cipher.final('base64');
const card = await done(api.POST('/cards', { body: { customer_id: customer.id, encrypted } }));
console.log(`card: ${card.brand} ${card.last_4}`);

// An order by card. The key makes it safe to send again after a time-out.
const byCard = await done(
  api.POST('/charges/orders', {
    params: { header: { 'Idempotency-Key': `card-${run}` } },
    body: {
      code: `card-${run}`,
      mcc: '5734',
      customer: { id: customer.id },
      payment: { amount: 15990, payment_method: 'credit_card', credit_card: { id: card.id } },
    },
  }),
);
console.log(`order by card: ${byCard.payment.status}`);

// An order by Pix, and the buyer pays it.
const byPix = await done(
  api.POST('/charges/orders', {
    params: { header: { 'Idempotency-Key': `pix-${run}` } },
    body: {
      code: `pix-${run}`,
      mcc: '5734',
      customer: { id: customer.id },
      payment: { amount: 4990, payment_method: 'pix' },
    },
  }),
);
console.log(`order by Pix: ${byPix.payment.status}`);
const paid = await done(
  api.POST('/sandbox/payments/{identifier}/simulate', {
    params: { path: { identifier: byPix.payment.id } },
    body: { outcome: 'paid' },
  }),
);
console.log(`simulated: ${paid.status}`);

// An order by boleto, of which two recipients get 20 % each.
const recipients = await done(
  api.GET('/recipients', { params: { query: { status: 'approved', per_page: 2 } } }),
);
const { payment: boleto } = await done(
  api.POST('/charges/orders', {
    params: { header: { 'Idempotency-Key': `boleto-${run}` } },
    body: {
      code: `boleto-${run}`,
      mcc: '5734',
      customer: { id: customer.id },
      payment: {
        amount: 10000,
        payment_method: 'bank_slip',
        split: recipients.data.map(({ id }) => ({
          recipient_id: id,
          type: 'percentage' as const,
          amount: 20,
        })),
      },
    },
  }),
);
console.log(`order by boleto: ${boleto.bank_slip?.digitable_line}`);
const shares = boleto.split.map((line) => line.share_amount);
console.log(`split: ${shares.join(' ')}, own ${boleto.merchant_amount}`);

// A link at which a buyer pays by Pix.
const link = await done(
  api.POST('/payment-links', {
    body: { title: 'Workshop', amount_type: 'fixed', amount: 15990, payment_methods: ['pix'] },
  }),
);
console.log(`payment link: ${link.url}`);

// All payments of the customer, one per page.
const amounts: number[] = [];
let cursor: string | null = null;
do {
  const query: { customer_id: string; per_page: number; cursor?: string } = {
    customer_id: customer.id,
    per_page: 1,
    ...(cursor !== null && { cursor }),
  };
  const page = await done(api.GET('/payments', { params: { query } }));
  amounts.push(...page.data.map(({ amount }) => amount));
  cursor = page.pagination.next_cursor;
} while (cursor !== null);
console.log(`list: ${amounts.join(' ')}`);

// A part of the money goes back.
const path = { identifier: byCard.payment.id };
await done(api.POST('/payments/{identifier}/refunds', { params: { path }, body: { amount: 1990 } }));
const refunded = await done(api.GET('/payments/{identifier}', { params: { path } }));
console.log(`refund: ${refunded.status} ${refunded.refunded_amount}`);

// More than is left: the refusal says which field is wrong, and why.
const { error, response } = await api.POST('/payments/{identifier}/refunds', {
  params: { path },
  body: { amount: 15990 },
});
if (error !== undefined && 'errors' in error) {
  console.log(`refusal: ${response.status} ${error.errors?.amount}`);
}

// A later version of the service may know more statuses and fields than these types do.
const later = await done(
  at(CENTAVO_LATER_URL).GET('/payments/{identifier}', {
    params: { path: { identifier: byPix.payment.id } },
  }),
);
console.log(`later: ${later.status} ${later.amount}`);
