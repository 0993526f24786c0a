import type { Scenario } from './scenarios.ts';

/** Titles of the operations. */
export const TITLES: Readonly<Record<Scenario, string>> = {
  getCustomer: '`GET /customers/{identifier}`',
  listPayments: '`GET /payments`, a page of 20',
  createCustomer: '`POST /customers`',
  createOrder: '`POST /charges/orders` by Pix',
  createCardOrder: '`POST /charges/orders` by card',
  createSplitOrder: '`POST /charges/orders` by card, split in three',
  getBalance: '`GET /balance`',
  listLedgerEntries: '`GET /ledger-entries`, a page of 20',
  showCheckoutPage: '`GET /l/{hash}`, the page of a payment link',
};

/** Operations of which only the growth is measured: the baseline does not have them. */
export const WITHOUT_BASELINE: readonly Scenario[] = ['getBalance', 'listLedgerEntries', 'showCheckoutPage'];

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)].join(
    '\n',
  );
}

export const whole = (value: number) => Math.round(value).toLocaleString('en');
export const ms = (value: number) => `${value.toFixed(1)} ms`;
export const us = (value: number | null) => (value === null ? '–' : `${whole(value)} µs`);
export const mib = (value: number | null) => (value === null ? 'unknown here' : `${whole(value)} MiB`);
export const percent = (value: number) => `${Math.round(value * 100)} %`;
export const percentOrUnknown = (value: number | null) => (value === null ? '–' : percent(value));
