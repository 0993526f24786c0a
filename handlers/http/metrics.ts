import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of this process. The internal listener serves them as Prometheus text. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'operation' | 'status'>;
  readonly duration_s: Histogram<'operation'>;
  readonly shed: Counter;
  readonly discrepancies: Counter<'source' | 'reason'>;
  readonly settlementFiles: Counter<'result'>;
  readonly merchantsBehind: Gauge;
  readonly deliveryAttempts: Counter<'result'>;
  readonly restoredQueues: Counter;
  readonly refusedCardTries: Counter<'limit'>;
  readonly oldestDueDelivery_s: Gauge;
  readonly deliveriesPending: Gauge<'state'>;
  readonly eventsPending: Gauge;
  /** Adds a gauge. `read` is called at each scrape. */
  watch(name: string, help: string, read: () => number): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...requestMetrics([registry]),
    ...acquirerMetrics([registry]),
    ...webhookMetrics([registry]),
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
}

function requestMetrics(registers: [Registry]) {
  return {
    requests: new Counter({
      name: 'centavo_http_requests_total',
      help: 'Requests answered, by operation and status.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    duration_s: new Histogram({
      name: 'centavo_http_request_duration_seconds',
      help: 'Time from the first byte of a request to its answer.',
      labelNames: ['operation'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    shed: new Counter({
      name: 'centavo_http_requests_shed_total',
      help: 'Requests refused with 503 because too many were in flight.',
      registers,
    }),
    refusedCardTries: new Counter({
      name: 'centavo_checkout_card_tries_refused_total',
      help: 'Card payments that checkout pages refused after too many tries, by limit: address, card or page.',
      labelNames: ['limit'],
      registers,
    }),
  };
}

function acquirerMetrics(registers: [Registry]) {
  return {
    discrepancies: new Counter({
      name: 'centavo_discrepancies_total',
      help: 'Reports of the acquirer that did not fit the records, by source and reason.',
      labelNames: ['source', 'reason'],
      registers,
    }),
    settlementFiles: new Counter({
      name: 'centavo_settlement_files_total',
      help: 'Settlement files requested from the acquirer, by result: agreed, differed or unavailable.',
      labelNames: ['result'],
      registers,
    }),
    merchantsBehind: new Gauge({
      name: 'centavo_settlement_merchants_behind',
      help: 'Merchants with more than two days that were not compared with the settlement files, as measured by this worker every 10 minutes.',
      registers,
    }),
  };
}

function webhookMetrics(registers: [Registry]) {
  return {
    deliveryAttempts: new Counter({
      name: 'centavo_webhook_delivery_attempts_total',
      help: 'Attempts to deliver an event to a receiver, by result: succeeded or failed.',
      labelNames: ['result'],
      registers,
    }),
    restoredQueues: new Counter({
      name: 'centavo_webhook_queues_restored_total',
      help: 'Queues that were missing although they had deliveries to send.',
      registers,
    }),
    oldestDueDelivery_s: new Gauge({
      name: 'centavo_webhook_oldest_due_seconds',
      help: 'How long the first due delivery has waited for a worker, as measured by this worker every 15 seconds.',
      registers,
    }),
    deliveriesPending: new Gauge({
      name: 'centavo_webhook_deliveries_pending',
      help: 'Deliveries that are due, or scheduled for another attempt, as measured by this worker every 15 seconds.',
      labelNames: ['state'],
      registers,
    }),
    eventsPending: new Gauge({
      name: 'centavo_webhook_events_pending',
      help: 'Events whose deliveries are not created yet, as measured by this worker every 15 seconds.',
      registers,
    }),
  };
}
