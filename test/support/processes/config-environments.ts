import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../../config.ts';

/** 32 different bytes, counted from one. */
export const bytesFrom = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => first + index));
export const KEY = bytesFrom(1).toString('base64');
export const OTHER_KEY = bytesFrom(2).toString('base64');
export const PRODUCTION = {
  PAYMENTS_ENV: 'production',
  DATABASE_URL: 'postgres://centavo@db.example/centavo?sslmode=verify-full',
  VAULT_KEYS: KEY,
  KEY_PEPPER: 'a pepper of the tests, long enough',
  ACQUIRER_URL: 'https://acquirer.example',
  ACQUIRER_SECRET: 'a secret shared with the acquirer',
};

/** Fails unless the configuration is refused with one sentence that begins with the variable. */
export function refused(env: Record<string, string>, variable: string): void {
  assert.throws(
    () => readConfig(env),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.ok(error.message.startsWith(`${variable} `), error.message);
      assert.match(error.message, /^[^\n]+\.$/);
      return true;
    },
  );
}
