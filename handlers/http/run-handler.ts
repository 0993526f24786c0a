import type { Context as Routed } from 'openapi-backend';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import type { HeldKey } from '../../services/idempotency.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { asRefusal } from './errors.ts';
import type { AnswerStream, Call, OpenCall, OperationId, RecordOwner } from './handler.ts';
import type { ReadyAnswer } from './idempotency.ts';
import { limitTo } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';
import type { FieldNames } from './wire-paths.ts';

interface HandlerAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly stream?: AnswerStream;
}

/** A handler of any operation. */
export interface AnyHandler {
  (call: Call<OperationId>): Promise<HandlerAnswer>;
  readonly fieldNames?: FieldNames;
  readonly findOwner?: (deps: Deps, path: unknown) => Promise<RecordOwner>;
}

/** Runs an operation of a merchant. With a held Idempotency-Key, the answer is stored in the handler's transaction. */
export async function runHandler(
  deps: Deps,
  routed: Routed,
  context: RequestContext,
  handler: AnyHandler,
  held: HeldKey | undefined,
): Promise<ReadyAnswer> {
  let stored: ReadyAnswer | undefined;
  let newId = held?.resourceId;
  const call = {
    deps,
    merchant: context.merchant!,
    keyId: context.principal?.keyId ?? '',
    get clientAddress() {
      return context.clientAddress();
    },
    path: routed.request.params,
    query: routed.request.query,
    body: routed.request.requestBody,
    isRerun: held?.isRerun ?? false,
    // These are created on first use, because most requests do not need them.
    get disconnected() {
      return context.ticket.disconnected;
    },
    get newId() {
      newId ??= uuidV7(deps.wall().getTime(), deps.random);
      return newId;
    },
    answer:
      (render: (result: unknown) => { status: number; body: unknown }) =>
      async (tx: never, result: unknown) => {
        const answer = render(result);
        if (held === undefined) return answer;
        const ready = readyAnswer(answer);
        await held.answer(tx, ready);
        stored = ready;
        return answer;
      },
  };
  const handle = () => handler(call as unknown as Call<OperationId>);
  const { tenant } = context;
  const handled = tenant === undefined ? handle() : deps.upstreamCalls.attribute(tenant, handle);
  const answer = await handled.catch((error: unknown) => {
    throw asRefusal(error, handler.fieldNames) ?? error;
  });
  return stored ?? readyAnswer(answer);
}

/** Runs an operation without a merchant. Its answers are not stored, because no Idempotency-Key belongs to a merchant. */
export async function runOpenHandler(
  deps: Deps,
  limiter: RateLimiter,
  { request: { params, query, requestBody } }: Routed,
  context: RequestContext,
  handler: (call: OpenCall<OperationId>) => Promise<{ status: number; body: unknown }>,
): Promise<ReadyAnswer> {
  const call = {
    deps,
    path: params,
    query,
    body: requestBody,
    get clientAddress() {
      return context.clientAddress();
    },
    limitTo: (limit: number, scope: MerchantScope, counter: string) =>
      limitTo(limiter, scope, counter, limit),
  };
  return readyAnswer(await handler(call as unknown as OpenCall<OperationId>));
}

function readyAnswer({ status, body, stream }: HandlerAnswer): ReadyAnswer {
  const answer = { status, text: body === undefined ? '' : JSON.stringify(body) };
  return stream === undefined ? answer : { ...answer, stream };
}
