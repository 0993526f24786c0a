import { type HttpClientOptions, httpClient } from './http-client.ts';
import type { SandboxControl, ScriptedOutcome, Simulated, StoredScript } from './sandbox-control.ts';
import { isObject } from './wire-values.ts';

/** 100 scripts of 100 outcomes, twice, are 1.2 MB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Longer than `simulate` waits for its notification, which is up to 10 s, and so short that a request can make two
 * calls.
 */
const TIMEOUT_MS = 12_000;
/** One call runs due events for at most 15 s, and then answers that there are more. */
const RUN_DUE_TIMEOUT_MS = 30_000;

interface AskOptions {
  /** Default: true. */
  readonly retry?: boolean;
  readonly timeout_ms?: number;
}

type Ask = (path: string, body: object, options?: AskOptions) => Promise<Record<string, unknown>>;

/**
 * The simulator's control operations over HTTP. Unlike the acquirer port these throw when the simulator cannot be
 * reached or gives no usable answer: they run for sandbox operations only, and the caller can try again.
 */
export function httpSandboxControl(options: HttpClientOptions): SandboxControl & { close(): Promise<void> } {
  const client = httpClient({ timeout_ms: TIMEOUT_MS, maxAnswer_bytes: MAX_ANSWER_BYTES, ...options });

  const ask: Ask = async (path, body, { retry = true, timeout_ms } = {}) => {
    const answer = await client.post(`/control/${path}`, body, retry, timeout_ms);
    if (answer.kind === 'failed') throw new Error(`The acquirer's sandbox did not answer: ${answer.cause}.`);
    if (answer.status !== 200 || !isObject(answer.body)) {
      throw new Error(`The acquirer's sandbox answered with status ${answer.status}.`);
    }
    return answer.body;
  };

  return {
    ...simulations(ask),
    ...scripts(ask),
    ...clock(ask),
    ...wallet(ask),
    async reset(account) {
      const { scripts } = await ask('reset', { account });
      return { scripts: Number(scripts) };
    },
    close: () => client.close(),
  };
}

function simulations(ask: Ask): Pick<SandboxControl, 'simulate' | 'authorizeMandate' | 'cancelMandate'> {
  async function simulated(path: string, body: object): Promise<Simulated> {
    // Not sent again after a broken connection: if the first request has changed the payment, the second one is
    // refused.
    const { kind, why } = await ask(path, body, { retry: false });
    return kind === 'done' ? { kind } : { kind: 'not_allowed', why: String(why) };
  }

  return {
    async simulate({ account, reference, outcome, reason, occurredAt }) {
      return simulated('simulate', { account, reference, outcome, reason, occurred_at: occurredAt });
    },
    async authorizeMandate({ account, reference, occurredAt }) {
      return simulated('authorize-mandate', { account, reference, occurred_at: occurredAt });
    },
    async cancelMandate({ account, reference, reason, occurredAt }) {
      return simulated('cancel-mandate', { account, reference, reason, occurred_at: occurredAt });
    },
  };
}

function scripts(ask: Ask): Pick<SandboxControl, 'createScript' | 'listScripts' | 'dropScript'> {
  return {
    async createScript({ scriptId, account, customerId, cardId, outcomes, createdAt }) {
      const script = {
        account,
        script_id: scriptId,
        customer_id: customerId,
        card_id: cardId,
        outcomes,
        created_at: createdAt,
      };
      return readScript(account, await ask('scripts', script));
    },
    async listScripts(account, { limit, after }) {
      const place = { after_created_at: after?.createdAt ?? null, after_id: after?.id ?? null };
      const { scripts } = await ask('list-scripts', { account, limit, ...place });
      return (scripts as WireScript[]).map((script) => readScript(account, script));
    },
    async dropScript(account, scriptId) {
      const { dropped } = await ask('drop-script', { account, script_id: scriptId });
      return dropped === true;
    },
  };
}

function clock(ask: Ask): Pick<SandboxControl, 'nextDue' | 'runDue' | 'setClock'> {
  return {
    async nextDue(account) {
      const { due_at } = await ask('next-due', { account });
      return due_at === null ? null : new Date(String(due_at));
    },
    async runDue(account, instant) {
      let delivered = 0;
      for (;;) {
        const ran = await ask('run-due', { account, until: instant }, { timeout_ms: RUN_DUE_TIMEOUT_MS });
        delivered += Number(ran.delivered);
        if (ran.more !== true) return { delivered };
      }
    },
    async setClock(account, offset_ms) {
      await ask('clock', { account, offset_ms });
    },
  };
}

function wallet(
  ask: Ask,
): Pick<SandboxControl, 'createWalletSession' | 'createWalletToken' | 'serveWalletFile'> {
  return {
    async createWalletSession(account, domainName) {
      const { validation_url } = await ask('wallet-sessions', { account, domain_name: domainName });
      return { validationUrl: String(validation_url) };
    },
    async createWalletToken({ domainName, number, createdAt }) {
      const fields = { domain_name: domainName, number, created_at: createdAt };
      const { token, expires_at } = await ask('wallet-tokens', fields);
      return { token: String(token), expiresAt: new Date(String(expires_at)) };
    },
    async serveWalletFile(domainName, content) {
      await ask('wallet-files', { domain_name: domainName, content });
    },
  };
}

type WireScript = Record<string, unknown>;

function readScript(account: string, script: WireScript): StoredScript {
  return {
    scriptId: String(script.script_id),
    account,
    customerId: script.customer_id as string | null,
    cardId: script.card_id as string | null,
    outcomes: script.outcomes as ScriptedOutcome[],
    createdAt: new Date(String(script.created_at)),
    remaining: script.remaining as ScriptedOutcome[],
  };
}
