import { randomUUID } from 'node:crypto';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import type { PlaceMove } from '../../../domain/links/place-moves.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { movePlace, takePlace } from '../../../services/links/places.ts';
import type { TestService } from '../service.ts';
import type { Shop } from '../shop.ts';

/** Takes and moves places of a payment link, as the payments of a checkout do. */
export class LinkPlaces {
  readonly #service: TestService;
  readonly #merchant: Merchant;
  readonly #linkId: string;

  constructor(service: TestService, merchant: Merchant, linkId: string) {
    this.#service = service;
    this.#merchant = merchant;
    this.#linkId = linkId;
  }

  static async of(service: TestService, shop: Shop, linkId: string): Promise<LinkPlaces> {
    const merchant = await findMerchant(service.deps.db, shop.onboarded.merchant);
    return new LinkPlaces(service, merchant!, linkId);
  }

  /** The holder of a new place. Throws the refusal of `takePlace`. */
  async take(): Promise<string> {
    const { deps } = this.#service;
    const holderId = randomUUID();
    await deps.db.transaction(this.#merchant, (tx) =>
      takePlace(deps, tx, this.#merchant, { linkId: this.#linkId, holderId }),
    );
    return holderId;
  }

  /** Whether the place of this holder was moved now. */
  move(holderId: string, move: PlaceMove): Promise<boolean> {
    const { deps } = this.#service;
    const place = { linkId: this.#linkId, holderId, move, by: 'acquirer' } as const;
    return deps.db.transaction(this.#merchant, (tx) => movePlace(deps, tx, this.#merchant, place));
  }

  /** The counts of the link, and the places behind them. */
  async counts(): Promise<{ paid: number; underWay: number; places: Record<string, number> }> {
    const [link] = await this.#service.rows<{ paid: number; under_way: number }>(
      'select payments_count as paid, payments_under_way as under_way from payment_links where id = :id',
      { id: this.#linkId },
    );
    const places = await this.#service.rows<{ state: string; n: number }>(
      'select state, count(*) as n from payment_link_places where link_id = :id group by state',
      { id: this.#linkId },
    );
    return {
      paid: link!.paid,
      underWay: link!.under_way,
      places: Object.fromEntries(places.map(({ state, n }) => [state, n])),
    };
  }
}

/** Has so many payments of a link paid. */
export async function countPlaces(
  service: TestService,
  shop: Shop,
  linkId: string,
  count: number,
): Promise<void> {
  const places = await LinkPlaces.of(service, shop, linkId);
  for (let i = 0; i < count; i += 1) await places.move(await places.take(), 'count');
}
