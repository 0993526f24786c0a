/**
 * Measures the delivery of webhooks, and writes the results to scripts/bench/webhooks.md.
 *
 * Usage: make bench-webhooks                   about a quarter of an hour, on an idle machine
 *        make bench-webhooks PAST=10000000     with so many past deliveries, and 10 GB in .data/bench-webhooks
 *        make bench-webhooks REHEARSE=yes      a quarter of a minute, to see that it runs. Its figures mean nothing and
 *        are only printed
 *        node scripts/bench-webhooks.ts --deliveries 20000 --only deliveries,slow    some parts, only printed
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deliverySpeed } from './bench/webhooks/deliveries.ts';
import { eventLatency } from './bench/webhooks/latency.ts';
import { orderPaths } from './bench/webhooks/order-path.ts';
import { FULL, REHEARSAL, type WebhookPace } from './bench/webhooks/pace.ts';
import { type WebhookResults, webhooksPage } from './bench/webhooks/page.ts';
import { pastDeliveries } from './bench/webhooks/past-deliveries.ts';
import { setUpWebhooks, type WebhookSetup } from './bench/webhooks/setup.ts';
import { healthyBehindSlow } from './bench/webhooks/slow-receivers.ts';

const { values } = parseArgs({
  options: {
    rehearse: { type: 'boolean', default: false },
    deliveries: { type: 'string' },
    past: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
});

function chosenPace(): WebhookPace {
  const pace = values.rehearse ? REHEARSAL : FULL;
  const { deliveries = pace.deliveries, past = pace.past } = values;
  const { rounds = pace.rounds, rounds: orderRounds = pace.orderRounds } = values;
  return {
    ...pace,
    deliveries: Number(deliveries),
    past: Number(past),
    rounds: Number(rounds),
    orderRounds: Number(orderRounds),
  };
}

const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

/** The parts in the order in which they run. Past deliveries come last, because all other parts would run with them. */
const PARTS = {
  deliveries: deliverySpeed,
  slow: healthyBehindSlow,
  latency: eventLatency,
  orders: orderPaths,
  past: pastDeliveries,
} as const;

async function measureAll(setup: WebhookSetup, pace: WebhookPace): Promise<WebhookResults> {
  const run = <Result>(part: (setup: WebhookSetup, pace: WebhookPace) => Promise<Result>, what: string) => {
    say(what);
    return part(setup, pace);
  };
  return {
    pace,
    speed: await run(PARTS.deliveries, 'deliveries, and undici alone'),
    healthy_s: await run(PARTS.slow, 'slow receivers'),
    latency: await run(PARTS.latency, 'from the change to its arrival'),
    orders: await run(PARTS.orders, 'orders'),
    past: await run(PARTS.past, `${pace.past.toLocaleString('en')} past deliveries`),
  };
}

const pace = chosenPace();
const setup = await setUpWebhooks(pace);
try {
  if (values.only === undefined) {
    const page = webhooksPage(await measureAll(setup, pace));
    if (!values.rehearse) writeFileSync(join(import.meta.dirname, 'bench/webhooks.md'), page);
    console.log(page);
  } else {
    for (const part of values.only.split(',') as (keyof typeof PARTS)[]) {
      say(part);
      console.log(part, await PARTS[part](setup, pace));
    }
  }
} finally {
  await setup.tearDown();
}
process.exit(0);
