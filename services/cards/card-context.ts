/** What the vault binds the sealed values of a card to. */
export const cardContext = {
  number: (cardId: string) => `cards.number:${cardId}`,
  networkToken: (cardId: string) => `cards.network_token:${cardId}`,
  securityCode: (cardId: string) => `card_security_codes.code:${cardId}`,
};
