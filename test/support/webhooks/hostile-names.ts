import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { HostLookups } from '../../../services/webhooks/host-lookups.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import destinations from '../../vectors/destinations.json' with { type: 'json' };
import { startTestService, type TestService } from '../service.ts';
import { Shop } from '../shop.ts';
import { Listener } from './listener.ts';
import { NameServer } from './name-server.ts';

export const URLS = Object.entries(destinations.refused as Record<string, string[]>).flatMap(
  ([sentence, urls]) => urls.map((url) => ({ sentence, url })),
);
const PUBLIC = ['203.0.114.7', '2606:4700::1111'];

/** Names with a private address: alone, before public ones, and after them. */
export const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  destinations.privateAddresses.flatMap((address, number): [string, string[]][] => [
    [`alone-${number}.example`, [address]],
    [`first-${number}.example`, [address, ...PUBLIC]],
    [`last-${number}.example`, [...PUBLIC, address]],
  ]),
);
/** One for each address. All fields are checked by the same function, so only one field is tested with all names. */
export const LONE_NAMES = [...NAMES.keys()].filter((name) => name.startsWith('alone-'));
export const NOT_PUBLIC = 'Must resolve to public addresses only.';
/** One fewer than the look-ups that a merchant can have in flight. */
const AT_ONCE = 3;

/**
 * A service whose names are looked up at a name server that gives private addresses, and a listener that counts
 * connections.
 */
export class HostileNames implements AsyncDisposable {
  /** Whether the name server gives the private addresses. Otherwise it gives public ones. */
  isHostile = true;
  readonly names: NameServer;
  readonly listener: Listener;
  readonly service: TestService;
  readonly shop: Shop;

  static async start(): Promise<HostileNames> {
    let hostile: HostileNames | undefined;
    const isHostile = () => hostile?.isHostile !== false;
    const names = await NameServer.start((host) => (isHostile() ? NAMES.get(host) : PUBLIC) ?? null);
    const listener = await Listener.start();
    const lookups = { servers: [names.address], timeout_ms: 10_000 };
    const service = await startTestService({
      jobs: false,
      overrides: {
        hostLookups: new HostLookups(lookups),
        outgoing: new OutgoingCalls({ allowPrivate: false, lookups }),
      },
    });
    const shop = await Shop.open(service);
    // One attempt for each delivery.
    await changeMerchant(service.deps, shop.account, {
      rateLimitPerMinute: 1_000_000,
      webhookRetries_ms: [],
    });
    hostile = new HostileNames(names, listener, service, shop);
    return hostile;
  }

  private constructor(names: NameServer, listener: Listener, service: TestService, shop: Shop) {
    this.names = names;
    this.listener = listener;
    this.service = service;
    this.shop = shop;
  }

  /** A URL at the listener. */
  urlOf(name: string): string {
    return `https://${name}:${this.listener.port}/hook`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
    await this.listener[Symbol.asyncDispose]();
    await this.names[Symbol.asyncDispose]();
  }
}

/** Runs `work` for each item, a few at a time. */
export async function forEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items].values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
