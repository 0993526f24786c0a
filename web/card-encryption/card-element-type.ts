import type { PublicJwk } from './jwe.ts';

/** The element `<centavo-card>`: the form of a card in a frame of the service. */
export interface CardElement {
  /**
   * Encrypts the card that the buyer has typed, with the answer of `GET /cards/encryption-key` or the `jwk` in it.
   * Rejects as `encryptCard`; the frame shows what is wrong with the card. The frame refuses any other key
   * (`invalid_key`), because the owner of that key could read the card. Other codes: `no_frame` if the frame was not
   * loaded, `unchecked_key` if the service did not answer whether the key is its own.
   */
  encrypt(key: PublicJwk | { readonly jwk: PublicJwk }): Promise<string>;
}
