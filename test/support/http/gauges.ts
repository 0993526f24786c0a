import { until } from '../until.ts';

/** The requests that a service holds, as the gauges on its internal listener report them. */
export interface Gauges {
  readonly in_flight: number;
  readonly queued: number;
  readonly working: number;
  readonly waiting: number;
}

interface Scraped {
  readonly internalUrl: string;
}

/** Reads the gauges once. */
export async function gaugesOf({ internalUrl }: Scraped): Promise<Gauges> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^centavo_http_requests_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    in_flight: read('in_flight'),
    queued: read('queued'),
    working: read('working'),
    waiting: read('waiting'),
  };
}

/** Waits until the gauges meet a condition. */
export async function untilGauges(
  service: Scraped,
  what: string,
  condition: (gauges: Gauges) => boolean,
): Promise<void> {
  let last: Gauges | undefined;
  try {
    await until(what, async () => {
      last = await gaugesOf(service);
      return condition(last);
    });
  } catch (cause) {
    throw new Error(`${what}; the last gauges: ${JSON.stringify(last)}`, { cause });
  }
}

/** Waits until the service holds no request. */
export function untilIdle(service: Scraped): Promise<void> {
  return untilGauges(service, 'no request is held', (gauges) =>
    Object.values(gauges).every((count) => count === 0),
  );
}
