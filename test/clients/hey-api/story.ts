import { createCipheriv, createHash, randomUUID } from 'node:crypto';
import {
  createCard,
  createCustomer,
  createOrder,
  createPaymentLink,
  createRefund,
  getPayment,
  listPayments,
  listRecipients,
  type PaymentPage,
  simulatePayment,
} from '../../../clients/hey-api';
import type { Config } from '../../../clients/hey-api/client';
import { client } from '../../../clients/hey-api/client.gen';

const { CENTAVO_URL = '', CENTAVO_LATER_URL = CENTAVO_URL } = process.env;
const { CENTAVO_KEY = '', CENTAVO_ENCRYPTION_KEY = '' } = process.env;

const at = (url: string): Config => ({ baseUrl: `${url}/api/v1`, auth: CENTAVO_KEY });
client.setConfig(at(CENTAVO_URL));
const run = randomUUID();

// A customer. A boleto needs the document and the address.
const { data: customer } = await createCustomer({
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
  throwOnError: true,
});
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
const { data: card } = await createCard({
  body: { customer_id: customer.id, encrypted },
  throwOnError: true,
});
console.log(`card: ${card.brand} ${card.last_4}`);

// An order by card. The key makes it safe to send again after a time-out.
const { data: byCard } = await createOrder({
  headers: { 'Idempotency-Key': `card-${run}` },
  body: {
    code: `card-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: { amount: 15990, payment_method: 'credit_card', credit_card: { id: card.id } },
  },
  throwOnError: true,
});
console.log(`order by card: ${byCard.payment.status}`);

// An order by Pix, and the buyer pays it.
const { data: byPix } = await createOrder({
  headers: { 'Idempotency-Key': `pix-${run}` },
  body: {
    code: `pix-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: { amount: 4990, payment_method: 'pix' },
  },
  throwOnError: true,
});
console.log(`order by Pix: ${byPix.payment.status}`);
const { data: paid } = await simulatePayment({
  path: { identifier: byPix.payment.id },
  body: { outcome: 'paid' },
  throwOnError: true,
});
console.log(`simulated: ${paid.status}`);

// An order by boleto, of which two recipients get 20 % each.
const { data: recipients } = await listRecipients({
  query: { status: 'approved', per_page: 2 },
  throwOnError: true,
});
const { data: byBoleto } = await createOrder({
  headers: { 'Idempotency-Key': `boleto-${run}` },
  body: {
    code: `boleto-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: {
      amount: 10000,
      payment_method: 'bank_slip',
      split: recipients.data.map(({ id }) => ({ recipient_id: id, type: 'percentage' as const, amount: 20 })),
    },
  },
  throwOnError: true,
});
const boleto = byBoleto.payment;
console.log(`order by boleto: ${boleto.bank_slip?.digitable_line}`);
const shares = boleto.split.map((line) => line.share_amount);
console.log(`split: ${shares.join(' ')}, own ${boleto.merchant_amount}`);

// A link at which a buyer pays by Pix.
const { data: link } = await createPaymentLink({
  body: { title: 'Workshop', amount_type: 'fixed', amount: 15990, payment_methods: ['pix'] },
  throwOnError: true,
});
console.log(`payment link: ${link.url}`);

// All payments of the customer, one per page.
const amounts: number[] = [];
let cursor: string | null = null;
do {
  const { data: page }: { data: PaymentPage } = await listPayments({
    query: { customer_id: customer.id, per_page: 1, ...(cursor !== null && { cursor }) },
    throwOnError: true,
  });
  amounts.push(...page.data.map(({ amount }) => amount));
  cursor = page.pagination.next_cursor;
} while (cursor !== null);
console.log(`list: ${amounts.join(' ')}`);

// A part of the money goes back.
const path = { identifier: byCard.payment.id };
await createRefund({ path, body: { amount: 1990 }, throwOnError: true });
const { data: refunded } = await getPayment({
  path,
  throwOnError: true,
});
console.log(`refund: ${refunded.status} ${refunded.refunded_amount}`);

// More than is left: the refusal says which field is wrong, and why.
const { error, response } = await createRefund({ path, body: { amount: 15990 } });
if (error !== undefined && 'errors' in error) {
  console.log(`refusal: ${response?.status} ${error.errors?.amount}`);
}

// A later version of the service may know more statuses and fields than these types do.
const { data: later } = await getPayment({
  ...at(CENTAVO_LATER_URL),
  path: { identifier: byPix.payment.id },
  throwOnError: true,
});
console.log(`later: ${later.status} ${later.amount}`);
