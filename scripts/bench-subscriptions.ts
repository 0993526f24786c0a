/**
 * Measures the billing of subscriptions, and writes the results to scripts/bench/subscriptions.md.
 *
 * Usage: make bench-subscriptions                a quarter of an hour, on an idle machine, and 5 GB in
 *        .data/bench-subscriptions
 *        make bench-subscriptions REHEARSE=yes   half a minute, to see that it runs. Its figures mean nothing and are
 *        only printed
 *        node scripts/bench-subscriptions.ts --due 5000 --merchants 20 --only days    some parts, only printed
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { amongOthers } from './bench/subscriptions/not-due.ts';
import { ofOneMerchant } from './bench/subscriptions/one-merchant.ts';
import { FULL, REHEARSAL, type SubscriptionPace } from './bench/subscriptions/pace.ts';
import { type SubscriptionResults, subscriptionsPage } from './bench/subscriptions/page.ts';
import { readsWithCycles } from './bench/subscriptions/past-cycles.ts';
import { type RenewalDay, renewalDay } from './bench/subscriptions/renewals.ts';
import { type SubscriptionSetup, setUpSubscriptions } from './bench/subscriptions/setup.ts';

const { values } = parseArgs({
  options: {
    rehearse: { type: 'boolean', default: false },
    due: { type: 'string' },
    merchants: { type: 'string' },
    only: { type: 'string' },
  },
});

function chosenPace(): SubscriptionPace {
  const pace = values.rehearse ? REHEARSAL : FULL;
  const due = values.due === undefined ? pace.due : ([Number(values.due) / 10, Number(values.due)] as const);
  return { ...pace, due, merchants: Number(values.merchants ?? pace.merchants) };
}

const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

async function renewalDays(setup: SubscriptionSetup, pace: SubscriptionPace): Promise<RenewalDay[]> {
  const days: RenewalDay[] = [];
  for (const due of pace.due) days.push(await renewalDay(setup, pace, due));
  return days;
}

/**
 * The parts in the order in which they run. Subscriptions that are not due come last, because all other parts would run
 * with them.
 */
const PARTS = {
  days: renewalDays,
  one: ofOneMerchant,
  cycles: readsWithCycles,
  others: amongOthers,
} as const;

async function measureAll(setup: SubscriptionSetup, pace: SubscriptionPace): Promise<SubscriptionResults> {
  say('renewal days');
  const days = await PARTS.days(setup, pace);
  say('one merchant');
  const ofOne = await PARTS.one(setup, pace);
  say('past cycles');
  const cycles = await PARTS.cycles(setup, pace);
  say('subscriptions that are not due');
  return { pace, days, ofOne, cycles, amongOthers: await PARTS.others(setup, pace) };
}

const pace = chosenPace();
const setup = await setUpSubscriptions(pace);
try {
  if (values.only === undefined) {
    const page = subscriptionsPage(await measureAll(setup, pace));
    if (!values.rehearse) writeFileSync(join(import.meta.dirname, 'bench/subscriptions.md'), page);
    console.log(page);
  } else {
    for (const part of values.only.split(',') as (keyof typeof PARTS)[]) {
      say(part);
      console.dir(await PARTS[part](setup, pace), { depth: null });
    }
  }
} finally {
  await setup.tearDown();
}
process.exit(0);
