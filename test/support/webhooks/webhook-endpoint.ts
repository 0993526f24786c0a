import { after } from 'node:test';
import type { Json, TestService } from '../service.ts';
import { created, Shop } from '../shop.ts';
import { Receiver } from './receiver.ts';

/** A new merchant with an endpoint, by default for all events, and the receiver behind it. */
export async function openEndpoint(service: TestService, fields: object = {}) {
  const shop = await Shop.open(service);
  const receiver = await Receiver.start();
  after(() => receiver[Symbol.asyncDispose]());
  const body = { url: receiver.url, events: ['*'], ...fields };
  const endpoint: Json = await created(shop.post('/webhook-endpoints', body));
  const deliveries = async (query = ''): Promise<Json[]> =>
    (await shop.get(`/webhook-deliveries?endpoint_id=${endpoint.id}${query}`)).data;
  return { shop, receiver, endpoint, deliveries, path: `/webhook-endpoints/${endpoint.id}` };
}
