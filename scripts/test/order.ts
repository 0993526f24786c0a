/**
 * The files that take longest, the longest first. They start before all others, so that no long file runs alone at the
 * end. Files that keep a browser busy alternate with files that mostly wait, because several browsers at a time are
 * slow enough to reach their time-outs.
 */
export const LONG_FILES: readonly string[] = [
  'test/web/docs-browser.test.ts',
  'test/simulation/crash.test.ts',
  'test/web/guide-samples.test.ts',
  'test/simulation/chaos.test.ts',
  'test/web/guide-page-browser.test.ts',
  'test/scripts/bench.test.ts',
  'test/contract/examples-really-given.test.ts',
  'test/web/landing-page.test.ts',
  'test/readme-production.test.ts',
  'test/web/checkout-subscriptions.test.ts',
  'test/simulation/mandate-crash.test.ts',
  'test/web/checkout-dead-ends.test.ts',
  'test/contract/upstream.test.ts',
  'test/web/reference-try.test.ts',
  'test/contract/proxy.test.ts',
  'test/web/checkout-changes.test.ts',
  'test/scripts/bench-webhooks.test.ts',
  'test/web/search-browser.test.ts',
  'test/start.test.ts',
  'test/web/checkout-use.test.ts',
  'test/contract/dredd-negative.test.ts',
  'test/web/checkout-pages.test.ts',
  'test/scripts/admin-reconcile.test.ts',
  'test/web/receivers.test.ts',
  'test/handlers/webhooks/hostile-destinations.test.ts',
  'test/web/webhook-tester.test.ts',
  'test/db/engine/connections.test.ts',
];

/** The files with the long ones first. The others stay in their order. */
export function longestFirst(files: readonly string[]): string[] {
  const rankOf = (file: string) => (LONG_FILES.includes(file) ? LONG_FILES.indexOf(file) : LONG_FILES.length);
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}
