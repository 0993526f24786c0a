/** Endpoints with the faults that a merchant sets in the sandbox, and the deliveries to them. */
import assert from 'node:assert/strict';
import { after, mock } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../run-jobs.ts';
import type { Json, TestService } from '../service.ts';
import { created, Shop } from '../shop.ts';
import { type Arrival, Receiver, verified } from './receiver.ts';

/** For a service without jobs, which allows private destinations. */
export class FaultyDeliveries {
  readonly #service: TestService;
  readonly #loop: DeliveryLoop;
  #ahead_ms = 0;

  constructor(service: TestService) {
    this.#service = service;
    this.#loop = new DeliveryLoop(service.deps);
  }

  letPass(ms: number): void {
    this.#ahead_ms += ms;
    this.#service.setAhead(this.#ahead_ms);
  }

  /** Throws unless the signature is right and recent, by the time that the service has now. */
  assertSigned(secret: string, arrival: Arrival): void {
    mock.timers.enable({ apis: ['Date'], now: this.#service.deps.wall() });
    try {
      verified(secret, arrival);
    } finally {
      mock.timers.reset();
    }
  }

  /** A shop with an endpoint that has faults. */
  async open(faults: object, fields: object = {}) {
    const shop = await Shop.open(this.#service);
    const receiver = await Receiver.start();
    after(() => receiver[Symbol.asyncDispose]());
    const body = { url: receiver.url, events: ['*'], ...fields };
    const endpoint: Json = await created(shop.post('/webhook-endpoints', body));
    const setFaults = async (next: object) => {
      const path = `/sandbox/webhook-endpoints/${endpoint.id}/faults`;
      assert.equal((await shop.call('PUT', path, { body: next })).status, 200);
    };
    await setFaults(faults);
    /** Requests a ping. Returns the path of its delivery. */
    const ping = async () => {
      const { id } = await created(shop.post(`/webhook-endpoints/${endpoint.id}/ping`));
      return `/webhook-deliveries/${id}`;
    };
    return { shop, receiver, endpoint, setFaults, ping };
  }

  /** Sends what is due now. */
  async deliver(): Promise<void> {
    await fanOutEvents(this.#service.deps);
    await this.#loop.runToEnd();
  }
}
