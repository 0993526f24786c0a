import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import type { TestService } from '../service.ts';
import { Shop } from '../shop.ts';

/** Opens shops of a service in this slot. */
export async function shopsInSlot(service: TestService, slot: number, count: number): Promise<Shop[]> {
  const { randomInt } = crypto;
  const mocked = mock.method(crypto, 'randomInt', (...args: [number]) =>
    args[0] === 256 ? slot : randomInt(...args),
  );
  syncBuiltinESMExports();
  try {
    return await Promise.all(Array.from({ length: count }, () => Shop.open(service)));
  } finally {
    mocked.mock.restore();
    syncBuiltinESMExports();
  }
}
