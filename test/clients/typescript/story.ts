import { createCipheriv, createHash, randomUUID } from 'node:crypto';
import {
  AddressType,
  CardsApi,
  Configuration,
  CustomerDocumentType,
  CustomersApi,
  LinksApi,
  OrderPaymentMethod,
  OrdersApi,
  PaymentLinkAmountType,
  PaymentLinkMethod,
  PaymentsApi,
  RecipientStatus,
  RecipientsApi,
  ResponseError,
  SandboxApi,
  SimulatedOutcome,
  SplitType,
  ValidationOrKeyErrorFromJSON,
} from '../../../clients/typescript/dist/index.js';

const { CENTAVO_URL = '', CENTAVO_LATER_URL = CENTAVO_URL } = process.env;
const { CENTAVO_KEY = '', CENTAVO_ENCRYPTION_KEY = '' } = process.env;

const at = (url: string) => new Configuration({ basePath: `${url}/api/v1`, accessToken: CENTAVO_KEY });
const config = at(CENTAVO_URL);
const payments = new PaymentsApi(config);
const orders = new OrdersApi(config);
const run = randomUUID();

// A customer. A boleto needs the document and the address.
const customer = await new CustomersApi(config).createCustomer({
  customerCreate: {
    name: 'Ana Souza',
    email: `ana-${run}@example.com`,
    documents: [{ type: CustomerDocumentType.Cpf, value: '52998224725' }],
    addresses: [
      {
        type: AddressType.Billing,
        postalCode: '01310100',
        line1: 'Avenida Paulista',
        number: '1000',
        neighborhood: 'Bela Vista',
        city: 'São Paulo',
        state: 'SP',
        country: 'BR',
      },
    ],
  },
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
const card = await new CardsApi(config).createCard({ cardCreate: { customerId: customer.id, encrypted } });
console.log(`card: ${card.brand} ${card.last4}`);

// An order by card. The key makes it safe to send again after a time-out.
const byCard = await orders.createOrder({
  idempotencyKey: `card-${run}`,
  orderCreate: {
    code: `card-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: {
      amount: 15990,
      paymentMethod: OrderPaymentMethod.CreditCard,
      creditCard: { id: card.id },
    },
  },
});
console.log(`order by card: ${byCard.payment.status}`);

// An order by Pix, and the buyer pays it.
const byPix = await orders.createOrder({
  idempotencyKey: `pix-${run}`,
  orderCreate: {
    code: `pix-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: { amount: 4990, paymentMethod: OrderPaymentMethod.Pix },
  },
});
console.log(`order by Pix: ${byPix.payment.status}`);
const paid = await new SandboxApi(config).simulatePayment({
  identifier: byPix.payment.id,
  paymentSimulation: { outcome: SimulatedOutcome.Paid },
});
console.log(`simulated: ${paid.status}`);

// An order by boleto, of which two recipients get 20 % each.
const { data: recipients } = await new RecipientsApi(config).listRecipients({
  status: RecipientStatus.Approved,
  perPage: 2,
});
const { payment: boleto } = await orders.createOrder({
  idempotencyKey: `boleto-${run}`,
  orderCreate: {
    code: `boleto-${run}`,
    mcc: '5734',
    customer: { id: customer.id },
    payment: {
      amount: 10000,
      paymentMethod: OrderPaymentMethod.BankSlip,
      split: recipients.map(({ id }) => ({ recipientId: id, type: SplitType.Percentage, amount: 20 })),
    },
  },
});
console.log(`order by boleto: ${boleto.bankSlip?.digitableLine}`);
const shares = boleto.split.map((line) => line.shareAmount);
console.log(`split: ${shares.join(' ')}, own ${boleto.merchantAmount}`);

// A link at which a buyer pays by Pix.
const link = await new LinksApi(config).createPaymentLink({
  paymentLinkCreate: {
    title: 'Workshop',
    amountType: PaymentLinkAmountType.Fixed,
    amount: 15990,
    paymentMethods: [PaymentLinkMethod.Pix],
  },
});
console.log(`payment link: ${link.url}`);

// All payments of the customer, one per page.
const amounts: number[] = [];
let cursor: string | null | undefined;
do {
  const page = await payments.listPayments({
    customerId: customer.id,
    perPage: 1,
    ...(cursor && { cursor }),
  });
  amounts.push(...page.data.map((payment) => payment.amount));
  cursor = page.pagination.nextCursor;
} while (cursor);
console.log(`list: ${amounts.join(' ')}`);

// A part of the money goes back.
await payments.createRefund({ identifier: byCard.payment.id, refundCreate: { amount: 1990 } });
const refunded = await payments.getPayment({ identifier: byCard.payment.id });
console.log(`refund: ${refunded.status} ${refunded.refundedAmount}`);

// More than is left: the refusal says which field is wrong, and why.
try {
  await payments.createRefund({ identifier: byCard.payment.id, refundCreate: { amount: 15990 } });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const refusal = ValidationOrKeyErrorFromJSON(await error.response.json());
  console.log(`refusal: ${error.response.status} ${refusal.errors?.amount}`);
}

// A later version of the service may know more statuses and fields than this client does.
const later = await new PaymentsApi(at(CENTAVO_LATER_URL)).getPayment({ identifier: byPix.payment.id });
console.log(`later: ${later.status} ${later.amount}`);
