import { type Action, randomFault } from './action.ts';

export const advance: Action = {
  name: 'advance',
  weight: 8,
  async run(world) {
    const to = world.later(world.theme.maxDays);
    const fault = randomFault(world);
    await world.advance(to, fault);
    return `${new Date(to).toISOString()} ${fault}`;
  },
};

/** No worker runs for some time, and then two run at once. What banks did meanwhile arrives before or after that. */
export const outage: Action = {
  name: 'outage',
  weight: 4,
  async run(world) {
    const to = world.later(world.theme.maxDays);
    const fault = randomFault(world);
    const first = world.random.pick(['service', 'bank'] as const);
    await world.jump(to, fault, first);
    return `${new Date(to).toISOString()} ${first} first, ${fault}`;
  },
};

export const work: Action = {
  name: 'work',
  weight: 2,
  async run(world) {
    const fault = randomFault(world);
    await world.work(fault);
    return fault;
  },
};

export const reconcile: Action = {
  name: 'reconcile',
  weight: 3,
  async run(world) {
    await world.reconcile();
    return '';
  },
};
