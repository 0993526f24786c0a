/** The vault contexts of the sealed values of a card. */
export const cardContext = {
  number: (cardId: string) => `cards.number:${cardId}`,
  networkToken: (cardId: string) => `cards.network_token:${cardId}`,
  securityCode: (cardId: string) => `card_security_codes.code:${cardId}`,
};
