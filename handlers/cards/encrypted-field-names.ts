/** The names of a card's fields in the encrypted document, by their paths in a refusal. */
export const ENCRYPTED_FIELD_NAMES = {
  'card.number': 'encrypted.number',
  'card.holder': 'encrypted.holder',
  'card.expMonth': 'encrypted.expMonth',
  'card.expYear': 'encrypted.expYear',
  'card.securityCode': 'encrypted.securityCode',
};
