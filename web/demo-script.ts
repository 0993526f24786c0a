import type { DemoMerchant } from '../services/sandbox/demo-merchant.ts';

/** The script with the environment and the demo keys for the pages; without keys if there is no demo merchant. */
export function demoScript(isSandbox: boolean, demo: DemoMerchant | null): string {
  const keys = demo === null ? null : { apiKey: demo.apiKey, encryptionKey: demo.encryptionKey };
  return `globalThis.centavoIsSandbox = ${isSandbox};\nglobalThis.centavoDemo = ${JSON.stringify(keys)};\n`;
}
