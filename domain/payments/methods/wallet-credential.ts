import type { CardBrand } from '../../cards/card-number.ts';

/** The card in a wallet whose credential the acquirer issued, to charge it again. */
export interface WalletCredential {
  readonly id: string;
  /** The name of the wallet in the contract. */
  readonly wallet: string;
  readonly brand: CardBrand;
  readonly last4: string;
}
