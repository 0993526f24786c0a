/**
 * The comparison: a process that posts signed bodies with undici, and does nothing else. It gets one job after another
 * by messages, and answers each with its result.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { signatureHeaders, signingKeys } from '../../../services/webhooks/signature.ts';

export interface SendJob {
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  readonly count: number;
}

export interface Sent {
  readonly perSecond: number;
  readonly processor_us: number;
  readonly memory_MiB: number;
}

/** As many as the service has for one endpoint. */
const CONNECTIONS = 64;
/** Messages that are signed before the measurement, and sent in turns. */
const SIGNED = 1_000;

const agent = new Agent({ connections: CONNECTIONS });

async function send({ url, body, secret, count }: SendJob): Promise<Sent> {
  const keys = signingKeys([secret]);
  const headers = Array.from({ length: SIGNED }, () => {
    const id = randomUUID();
    const signature = signatureHeaders(keys, { id, timestamp_s: Math.floor(Date.now() / 1_000), body });
    return { 'content-type': 'application/json', 'x-service-delivery': id, ...signature };
  });
  const used = process.cpuUsage();
  const began = performance.now();
  let next = 0;
  const sendInTurn = async () => {
    while (next < count) {
      const own = headers[next % SIGNED]!;
      next += 1;
      const answer = await request(url, { method: 'POST', headers: own, body, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The sink answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn));
  const took_s = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(used);
  return {
    perSecond: count / took_s,
    processor_us: (user + system) / count,
    memory_MiB: process.memoryUsage.rss() / 2 ** 20,
  };
}

process.on('message', async (job: SendJob) => {
  process.send!(await send(job));
});
