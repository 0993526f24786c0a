import { detectBrand } from '../../../domain/cards/card-number.ts';
import type { WireWalletToken } from '../../wire.ts';
import { BadRequest } from '../fields.ts';
import { chooseBehaviour } from '../magic-values.ts';
import { authorizationCode } from '../random.ts';
import { openWalletToken } from '../wallet/tokens.ts';
import type { SimulatedMethod } from './method.ts';

/** Any text that may be a token. */
export const WALLET_TOKEN = /^[^\0]{1,16384}$/s;

/** The only wallet of the sandbox. */
const WALLET = 'apple_pay';

export const browserWallet: SimulatedMethod = {
  type: 'authorization',
  creations: [
    {
      path: '/v1/authorizations',
      operation: 'authorization',
      read(fields, { customer }, { walletTokenKey }) {
        const token = openWalletToken(walletTokenKey, fields.text('wallet_token', WALLET_TOKEN));
        if (token === null) throw new BadRequest('The wallet token cannot be read.');
        const { id, number } = token;
        return {
          capture: fields.flag('capture'),
          card: { id, first6: number.slice(0, 6), last4: number.slice(-4) },
          behaviour: chooseBehaviour({ card: number, document: customer.document }),
        };
      },
      approval: () => ({ authorization_code: authorizationCode() }),
    },
  ],
};

/** The answer to a request to read a token. */
export function readWalletToken(key: Buffer, text: string): WireWalletToken {
  const token = openWalletToken(key, text);
  if (token === null) return { status: 'invalid' };
  return {
    status: 'valid',
    token_id: token.id,
    domain_name: token.domainName,
    wallet: WALLET,
    brand: detectBrand(token.number),
    last_4: token.number.slice(-4),
  };
}
