import type { EncryptionKey } from './encrypt-card.ts';

/** The element `<centavo-card>`: the form of a card in a frame of the service. */
export interface CardElement {
  /**
   * Encrypts the card that the buyer has typed. Rejects as `encryptCard`; the frame shows what is wrong with the card. With
   * the code `no_frame` if the frame was not loaded.
   */
  encrypt(key: EncryptionKey): Promise<string>;
}
