/** Services that all tests of a file share: started while the file is loaded, stopped after its last test. */
import { after } from 'node:test';
import { assertAcquirerAgrees } from './payments/acquirer-records.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import { Shop } from './shop.ts';

export async function sharedService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  after(() => service.stop());
  return service;
}

/** A service without background jobs, and a shop in it whose records must agree with the acquirer's at the end. */
export async function sharedShop(): Promise<{ readonly service: TestService; readonly shop: Shop }> {
  const service = await startTestService({ jobs: false });
  const shop = await Shop.open(service);
  after(async () => {
    try {
      await assertAcquirerAgrees(service, shop.account);
    } finally {
      await service.stop();
    }
  });
  return { service, shop };
}
