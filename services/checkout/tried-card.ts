import type { CardData } from '../../domain/cards/card-data.ts';
import type { Checkout } from '../../domain/checkout/checkout.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { fingerprintOf } from '../cards/card-records.ts';
import { readEncryptedCard } from '../cards/read-card.ts';
import type { Deps } from '../deps.ts';
import { type CountedTry, countCardTry } from './card-tries.ts';

/** What a buyer sends from a page, as far as a card pays. */
export interface EncryptedCardInput {
  /** Of the payment link or the offer. */
  readonly hash: string;
  /** The network address of the buyer. */
  readonly clientAddress: string;
  /** A JWE; present if a card pays. */
  readonly encryptedCard: string | undefined;
}

/** The card that a buyer typed; undefined if no card pays. Refusals: as `readEncryptedCard`. */
export async function readTypedCard(
  deps: Deps,
  merchant: Merchant,
  { encryptedCard, clientAddress }: EncryptedCardInput,
): Promise<CardData | undefined> {
  if (encryptedCard === undefined) return undefined;
  return readEncryptedCard(deps, merchant, {
    encrypted: encryptedCard,
    sender: { kind: 'buyer', id: clientAddress },
  });
}

/** The card of one request of a buyer, counted to stop people who test stolen cards. */
export class TriedCard {
  readonly #deps: Deps;
  readonly #merchant: Merchant;
  readonly #input: EncryptedCardInput;
  #counted: CountedTry | undefined;

  constructor(deps: Deps, merchant: Merchant, input: EncryptedCardInput) {
    this.#deps = deps;
    this.#merchant = merchant;
    this.#input = input;
  }

  /**
   * Counts the card, and then runs `place`, which writes the payment or subscription. If `place` fails, the count is
   * undone. `card` is undefined if no card pays. Refusals: `too_many_card_tries`; those of `place`.
   */
  async use<Placed>(
    card: CardData | undefined,
    checkout: Checkout,
    place: () => Promise<Placed>,
  ): Promise<Placed> {
    if (card !== undefined) this.#counted = await this.#count(card, checkout);
    return place().catch(async (error: unknown) => {
      const tried = this.#counted;
      // An earlier run of this request may have made the payment. That run counts it.
      this.#counted = undefined;
      await tried?.subtract();
      throw error;
    });
  }

  /**
   * The card was approved, so it is not counted any more. The payment is made in any case, so a failure is only logged.
   *
   * Other cards stay counted: refused ones, those with an unknown outcome, and those that are charged only after free
   * days. Otherwise the first charges of many subscriptions would show which stolen cards work.
   */
  async approved(): Promise<void> {
    const { merchantId } = this.#merchant;
    await this.#counted
      ?.subtract()
      .catch((error: unknown) =>
        this.#deps.log.warn(
          { merchant_id: merchantId, err: error },
          'counting a card payment at a checkout page failed',
        ),
      );
  }

  #count(card: CardData, { paymentLinkId, offerId }: Checkout): Promise<CountedTry> {
    const { clientAddress, hash } = this.#input;
    return countCardTry(this.#deps, this.#merchant, {
      address: clientAddress,
      card: fingerprintOf(this.#deps, this.#merchant, card).toString('hex'),
      page: (paymentLinkId ?? offerId)!,
      pageHash: hash,
    });
  }
}
