import { chooseBehaviour } from '../magic-values.ts';
import { chargeLocation, payerEndToEndId } from '../random.ts';
import type { SimulatedMethod } from './method.ts';

const TXID = /^[a-zA-Z0-9]{26,35}$/;

export const pix: SimulatedMethod = {
  type: 'charge',
  creations: [
    {
      path: '/v1/pix-charges',
      operation: 'pix_charge',
      read: (fields, { amount_centavos, customer }) => ({
        txid: fields.text('txid', TXID),
        expiresAt: fields.instant('expires_at'),
        behaviour: chooseBehaviour({ amount: String(amount_centavos), document: customer.document }),
      }),
      approval: () => ({
        location: chargeLocation(),
        receiver_name: 'LOJA DE TESTE',
        receiver_city: 'SAO PAULO',
      }),
    },
  ],
  notifications: { paid: 'pix.paid', refused: 'pix.refused', expired: 'pix.expired' },
  endToEndId: payerEndToEndId,
  pastExpiry: 'The Pix charge is past its expiry.',
};
