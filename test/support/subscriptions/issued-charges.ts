/** Subscriptions whose charges the customer pays: by boleto or Pix. */
import { randomUUID } from 'node:crypto';

/** The tax number of a customer who pays each charge after 10 seconds. */
export const PAYS_ITSELF = '99990000107';

/** A customer whom a boleto can name. */
export const PAYER = {
  name: 'Ana Souza',
  email: 'ana.souza@example.com',
  documents: [{ type: 'cpf', value: '52998224725' }],
  addresses: [
    {
      type: 'billing',
      line_1: 'Avenida Paulista',
      number: '1578',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      postal_code: '01310200',
      country: 'BR',
    },
  ],
};

/** The body of a subscription of R$ 49.90 a month. */
export const issuedBody = (payment: object, fields: object = {}) => ({
  code: randomUUID(),
  mcc: '5734',
  interval: 'monthly',
  customer: PAYER,
  payment: { amount: 4_990, ...payment },
  ...fields,
});
