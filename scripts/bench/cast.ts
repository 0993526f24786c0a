import { type StoredCard, storeCards } from './cards.ts';
import { Books, openShop, type Shop } from './shop.ts';
import { type Actor, buildStage, type Stage } from './stage.ts';

/** Everything that a measurement needs, up and filled. */
export interface Cast {
  readonly stage: Stage;
  readonly service: Actor;
  readonly baseline: Actor;
  readonly books: Books;
  /** The shop whose books grow, and others that come with it where one merchant's share is not the matter. */
  readonly shops: readonly Shop[];
  customerIds: readonly (readonly string[])[];
  cards: readonly (readonly StoredCard[])[];
  /** Starts the service once more, beside or after the other. */
  /** By main.ts, unless another script is named. */
  startService(flags?: readonly string[], script?: string): Promise<Actor>;
  startBaseline(): Promise<Actor>;
  /** Fills the first shop's books up to so many payments. */
  fillTo(payments: number): Promise<void>;
  leave(): Promise<void>;
}

/** Rows of the shops beside the first. */
const SMALL_SHOP = 1_000;
/** Customers that requests name in turn. */
const NAMED_CUSTOMERS = 5_000;
/** Of each shop, of a customer each. */
const CARDS = 200;

/** Builds the stage, onboards four merchants and starts whom is to be compared. The books are empty. */
export async function gather(): Promise<Cast> {
  const stage = await buildStage();
  const acquirer = await stage.start('scripts/bench/acquirer.ts');
  const gateway = { ACQUIRER_URL: acquirer.url };
  const startService: Cast['startService'] = (flags = [], script = 'main.ts') => {
    const env = { ...gateway, ROLE: 'api', PORT: '0', INTERNAL_PORT: '0' };
    return stage.start(script, { env, flags });
  };
  const startBaseline = () => stage.start('scripts/bench/baseline/server.ts', { env: gateway });
  // The first start migrates, which is no part of anything.
  await (await startService()).stop();
  const shops: Shop[] = [];
  for (const name of ['Livraria', 'Padaria', 'Oficina', 'Escola']) shops.push(await openShop(stage, name));
  const books = new Books(stage.databaseUrl);
  let filled = 0;
  const cast: Cast = {
    stage,
    service: await startService(),
    baseline: await startBaseline(),
    books,
    shops,
    customerIds: [],
    cards: [],
    startService,
    startBaseline,
    async fillTo(payments) {
      if (filled === 0) for (const shop of shops.slice(1)) await books.fill(shop, 0, SMALL_SHOP);
      await books.fill(shops[0]!, filled, payments);
      filled = payments;
      cast.customerIds = await Promise.all(shops.map((shop) => books.customerIds(shop, NAMED_CUSTOMERS)));
      if (cast.cards.length > 0) return;
      cast.cards = await Promise.all(
        shops.map((shop, i) => storeCards(cast.service, shop, cast.customerIds[i]!.slice(0, CARDS))),
      );
    },
    async leave() {
      await books.close();
      await stage.strike();
    },
  };
  return cast;
}
