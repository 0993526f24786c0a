import type { Deps } from '../services/deps.ts';
import type { Area } from './area.ts';
import { cards } from './cards/area.ts';
import { checkout } from './checkout/area.ts';
import { clock } from './clock/area.ts';
import { customers } from './customers/area.ts';
import { disputes } from './disputes/area.ts';
import { emails } from './emails/area.ts';
import { events } from './events/area.ts';
import { ledger } from './ledger/area.ts';
import { links } from './links/area.ts';
import type { Job } from './loop.ts';
import { expiredRows } from './maintenance/expired-rows.ts';
import { gatherStatistics } from './maintenance/table-statistics.ts';
import { merchants } from './merchants/area.ts';
import { orders } from './orders/area.ts';
import { payments } from './payments/area.ts';
import { products } from './products/area.ts';
import { recipients } from './recipients/area.ts';
import { requests } from './requests.ts';
import { slotJob } from './slot-job.ts';
import { subscriptions } from './subscriptions/area.ts';
import { wallet } from './wallet/area.ts';
import { webhooks } from './webhooks/area.ts';

/** All areas with an entry. */
const AREAS: readonly Area[] = [
  requests,
  merchants,
  events,
  customers,
  recipients,
  cards,
  ledger,
  wallet,
  payments,
  disputes,
  products,
  orders,
  links,
  checkout,
  emails,
  subscriptions,
  webhooks,
  clock,
];

/** All sealed columns. */
export const SEALED_COLUMNS = AREAS.flatMap(({ sealedColumns = [] }) => sealedColumns);

/** All work that falls due by merchants' clocks, in the order in which it runs at one instant. */
export const CLOCKED_WORK = AREAS.flatMap(({ clockedWork = [] }) => clockedWork);

/** All tables that a reset of the sandbox empties. */
export const MERCHANT_TABLES = AREAS.flatMap(({ merchantTables = [] }) => merchantTables);

/** How to find the notification URL that an event is sent to, by what the event is about. */
export const NOTIFICATION_URLS = AREAS.flatMap(({ notificationUrls = [] }) => notificationUrls);

/** What areas do when a payment changes. */
export const PAYMENT_LISTENERS = AREAS.flatMap(({ paymentListeners = [] }) => paymentListeners);

/** What areas do when a mandate changes. */
export const MANDATE_LISTENERS = AREAS.flatMap(({ mandateListeners = [] }) => mandateListeners);

/** What areas use cards for. */
export const CARD_USES = AREAS.flatMap(({ cardUses = [] }) => cardUses);

const EXPIRING_TABLES = AREAS.flatMap(({ expiringTables = [] }) => expiringTables);

/** All background jobs of a worker. */
export function backgroundJobs(deps: Deps): Job[] {
  return [
    ...AREAS.flatMap(({ jobs }) => jobs?.(deps) ?? []),
    { name: 'table statistics', interval_ms: 1_000, runOnce: () => gatherStatistics(deps) },
    slotJob(deps, { name: 'clean up', interval_ms: 60_000 }, expiredRows(deps, EXPIRING_TABLES)),
  ];
}
