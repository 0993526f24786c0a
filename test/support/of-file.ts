/** What the tests of one file share: made while the file is loaded, stopped after its last test. */
import { after } from 'node:test';
import { assertBooksAgree } from './books.ts';
import { type MoneyService, startMoneyService } from './money-service.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import { Shop } from './shop.ts';

/** A service for all tests of the file, with its background jobs. */
export async function testServiceOfFile(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  after(() => service.stop());
  return service;
}

/** A service for all tests of the file, whose clock and acquirer they hold in their hands. */
export async function serviceOfFile(): Promise<MoneyService> {
  const service = await startMoneyService();
  after(() => service.stop());
  return service;
}

/** A service and a shop for all tests of the file. In the end the shop's books must agree with the acquirer's. */
export async function shopOfFile(): Promise<{ readonly service: MoneyService; readonly shop: Shop }> {
  const service = await startMoneyService();
  const shop = await Shop.open(service);
  after(async () => {
    try {
      await assertBooksAgree(service, shop.account);
    } finally {
      await service.stop();
    }
  });
  return { service, shop };
}
