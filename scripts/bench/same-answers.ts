import { isDeepStrictEqual } from 'node:util';
import { jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import type { MeasuredProcess } from './processes.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** Fields that differ in each answer. Only their types are compared. */
const NEW =
  /^(id|hash|code|order_id|order_code|email|value|created_at|updated_at|at|expires_at|txid|qr_code|qr_code_image|authorization_code)$/;

/** Throws unless both sides give the same answers. Otherwise one of them does less work. */
export async function assertSameAnswers(bench: BenchContext, scenarios: readonly Scenario[]): Promise<void> {
  const { service, baseline } = bench.setup;
  for (const scenario of scenarios) {
    const [ours, theirs] = await Promise.all(
      [service, baseline].map((measured) => answerOf(bench, scenario, measured)),
    );
    if (!isDeepStrictEqual(ours, theirs)) {
      throw new Error(
        `The sides answer ${scenario} differently:\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`,
      );
    }
  }
}

async function answerOf(bench: BenchContext, scenario: Scenario, measured: MeasuredProcess) {
  const job = jobOf(bench, scenario, measured);
  const { method, path, body } = SCENARIOS[scenario](job)();
  const response = await fetch(measured.url + path, {
    method,
    headers: { authorization: `Bearer ${job.keys[0]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: comparable(await response.json()) };
}

function comparable(value: unknown, name = ''): unknown {
  if (NEW.test(name) && typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, comparable(field, key)] as const);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
