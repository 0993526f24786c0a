import { createCard } from './create-card.ts';
import { deleteCard } from './delete-card.ts';
import { getCard } from './get-card.ts';
import { getCardEncryptionKey } from './get-card-encryption-key.ts';
import { listCustomerCards } from './list-customer-cards.ts';
import { requestNetworkToken } from './request-network-token.ts';

export const cards = {
  createCard,
  deleteCard,
  getCard,
  getCardEncryptionKey,
  listCustomerCards,
  requestNetworkToken,
};
