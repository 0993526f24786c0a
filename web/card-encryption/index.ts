/** Encrypts cards in the buyer's browser, so no card number reaches a shop's server. */

export type { CardElement } from './card-element-type.ts';
export {
  CardError,
  type CardField,
  type CardProblem,
  type CardProblemCode,
  EncryptionSetupError,
} from './card-error.ts';
export type { CardHolder, CardHolderIdentification } from './card-holder.ts';
export { type EncryptionKey, encryptCard } from './encrypt-card.ts';
export type { PublicJwk } from './jwe.ts';
export { type Card, type CardBrand, validateCard } from './validate-card.ts';
