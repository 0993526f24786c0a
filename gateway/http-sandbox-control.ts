import { type HttpClientOptions, httpClient } from './http-client.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { isObject } from './wire.ts';

/**
 * The simulator's control operations over HTTP. Unlike the acquirer port these throw when the simulator cannot be
 * reached or answers nonsense: the caller is a person at a sandbox operation, who may simply try again.
 */
export function httpSandboxControl(options: HttpClientOptions): SandboxControl & { close(): Promise<void> } {
  const client = httpClient({ timeout_ms: 30_000, ...options });

  async function ask(path: string, body: object, retry = true): Promise<Record<string, unknown>> {
    const answer = await client.post(`/control/${path}`, body, retry);
    if (answer.kind === 'failed') throw new Error(`The acquirer's sandbox did not answer: ${answer.cause}.`);
    if (answer.status !== 200 || !isObject(answer.body)) {
      throw new Error(`The acquirer's sandbox answered with status ${answer.status}.`);
    }
    return answer.body;
  }

  return {
    async simulate({ account, reference, outcome, reason, occurredAt }) {
      const asked = { account, reference, outcome, reason, occurred_at: occurredAt };
      // Not repeated after a broken connection: the second try would be refused by what the first one did.
      const { kind, why } = await ask('simulate', asked, false);
      return kind === 'done' ? { kind } : { kind: 'not_allowed', why: String(why) };
    },
    async createScript({ scriptId, account, customerId, cardId, outcomes }) {
      const script = { account, script_id: scriptId, customer_id: customerId, card_id: cardId, outcomes };
      await ask('scripts', script);
    },
    async nextDue(account) {
      const { due_at } = await ask('next-due', { account });
      return due_at === null ? null : new Date(String(due_at));
    },
    async runDue(account, instant) {
      // The simulator answers after a few seconds' work with `more`, so that no call outlives its time-out.
      let delivered = 0;
      for (;;) {
        const ran = await ask('run-due', { account, until: instant });
        delivered += Number(ran.delivered);
        if (ran.more !== true) return { delivered };
      }
    },
    async setClock(account, offset_ms) {
      await ask('clock', { account, offset_ms });
    },
    async reset(account) {
      const { scripts } = await ask('reset', { account });
      return { scripts: Number(scripts) };
    },
    close: () => client.close(),
  };
}
