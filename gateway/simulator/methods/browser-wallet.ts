import { detectBrand } from '../../../domain/cards/card-number.ts';
import type { WireWalletToken } from '../../wire.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { chooseBehaviour } from '../magic-values.ts';
import { acquirerRefusal } from '../operation-rules.ts';
import type { Payment } from '../payments.ts';
import { authorizationCode, walletCredential } from '../random.ts';
import { openWalletToken } from '../wallet/tokens.ts';
import type { SimulatedMethod } from './method.ts';

/** Any text that the contract accepts as a token. Both count code points. */
export const WALLET_TOKEN = /^[^\0]{1,16384}$/su;

/** The only wallet of the sandbox. */
const WALLET = 'apple_pay';

export const browserWallet: SimulatedMethod = {
  type: 'authorization',
  creations: [
    {
      path: '/v1/authorizations',
      operation: 'authorization',
      async read(fields, { account, customer }, { together, walletTokenKey }) {
        const capture = fields.flag('capture');
        if (fields.has('stored_credential')) {
          const known = await together.findCredential({
            account,
            credential: fields.text('stored_credential'),
          });
          const isUsual = known === null || known.behaviour === 'approve';
          const behaviour = isUsual ? chooseBehaviour({ document: customer.document }) : known.behaviour;
          return { capture, card: known?.card ?? null, behaviour };
        }
        const storesCredential = fields.has('store_credential') && fields.flag('store_credential');
        return {
          capture,
          ...cardOfToken(walletTokenKey, fields, customer.document),
          credential: storesCredential ? walletCredential() : null,
        };
      },
      approval: ({ credential }) => ({
        authorization_code: authorizationCode(),
        ...(credential !== null && { stored_credential: credential }),
      }),
      refusal: async (_tx, { card }) => (card === null ? acquirerRefusal('unknown_credential') : null),
    },
  ],
};

/** The card that the token of a request contains, and how it behaves. */
export function cardOfToken(
  key: Buffer,
  fields: Fields,
  document: string | null,
): Pick<Payment, 'card' | 'behaviour'> {
  const token = openWalletToken(key, fields.text('wallet_token', WALLET_TOKEN));
  if (token === null) throw new BadRequest('The wallet token cannot be read.');
  const { id, number } = token;
  return {
    card: { id, first6: number.slice(0, 6), last4: number.slice(-4), goodThrough: null },
    behaviour: chooseBehaviour({ card: number, document }),
  };
}

/** The answer to a request to read a token. */
export function readWalletToken(key: Buffer, text: string): WireWalletToken {
  const token = openWalletToken(key, text);
  if (token === null) return { status: 'invalid' };
  return {
    status: 'valid',
    token_id: token.id,
    expires_at: new Date(token.expiresAt_ms),
    domain_name: token.domainName,
    wallet: WALLET,
    brand: detectBrand(token.number),
    last_4: token.number.slice(-4),
  };
}
