/** Cards whose sealed values cannot be read any more, as after the loss of a key of the vault. */
import { randomUUID } from 'node:crypto';
import type { Json, TestAnswer, TestService } from '../service.ts';
import type { Shop } from '../shop.ts';
import { encryptCard, type PlainCard, VISA } from './cards.ts';

export type SealedColumn = 'number_sealed' | 'network_token_sealed';

/** As if the keys with which columns of the merchant's cards are sealed were lost. */
export async function loseSealed(
  service: TestService,
  shop: Shop,
  ...columns: SealedColumn[]
): Promise<void> {
  for (const column of columns) {
    await service.rows(
      `update cards set ${column} = set_byte(${column}, 20, 255 - get_byte(${column}, 20)) where merchant_id = :account`,
      { account: shop.account },
    );
  }
}

/** A buyer enters a card, as the shop sends it. */
export function enterCard(
  shop: Shop,
  customer_id: string,
  card: Partial<PlainCard> = {},
): Promise<TestAnswer> {
  const encrypted = encryptCard({ ...VISA, ...card }, shop.onboarded.encryptionKey);
  return shop.post('/cards', { customer_id, encrypted });
}

/** A card with which a customer has paid, and the payment. */
export async function usedCard(
  shop: Shop,
  number?: string,
): Promise<{ card: string; customer: string; payment: Json }> {
  const payment = await shop.cardPayment({ number, capture: false });
  return { card: payment.credit_card.id, customer: payment.customer_id, payment };
}

/** An order by a stored card. */
export function orderByCard(customer: string, card: string, payment_method = 'credit_card') {
  const payment = { amount: 1_000, payment_method, [payment_method]: { id: card } };
  return { code: randomUUID(), mcc: '5734', customer: { id: customer }, payment };
}
