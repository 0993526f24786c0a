import type { DemoMerchant } from '../services/sandbox/demo-merchant.ts';

/** The script that tells the pages their environment and the demo keys; no keys where there is no demo merchant. */
export function demoScript(isSandbox: boolean, demo: DemoMerchant | null): string {
  const keys = demo === null ? null : { apiKey: demo.apiKey, encryptionKey: demo.encryptionKey };
  return `globalThis.centavoIsSandbox = ${isSandbox};\nglobalThis.centavoDemo = ${JSON.stringify(keys)};\n`;
}
