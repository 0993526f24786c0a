import type { Context as Routed } from 'openapi-backend';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { asRefusal } from './errors.ts';
import type { Call, OpenCall, OperationId, RecordOwner } from './handler.ts';
import type { ReadyAnswer } from './idempotency.ts';
import { limitTo } from './rate-limit.ts';
import { type HandlerAnswer, type RequestCall, readyAnswer } from './request-call.ts';
import type { RequestContext } from './request-context.ts';
import type { FieldNames } from './wire-paths.ts';

/** A handler of any operation. */
export interface AnyHandler {
  (call: Call<OperationId>): Promise<HandlerAnswer>;
  readonly fieldNames?: FieldNames;
  readonly findOwner?: (deps: Deps, path: unknown) => Promise<RecordOwner<unknown>>;
}

/** Runs an operation of a merchant. With a held Idempotency-Key, the answer is stored in the handler's transaction. */
export async function runHandler(
  handler: AnyHandler,
  call: RequestCall,
  tenant: string | undefined,
): Promise<ReadyAnswer> {
  const handle = () => handler(call as unknown as Call<OperationId>);
  const handled = tenant === undefined ? handle() : call.deps.upstreamCalls.attribute(tenant, handle);
  const answer = await handled.catch((error: unknown) => {
    throw asRefusal(error, handler.fieldNames) ?? error;
  });
  return call.stored ?? readyAnswer(answer);
}

/**
 * An operation without a merchant. Its answers are not stored, because no Idempotency-Key belongs to a merchant.
 */
export function openOperation(
  deps: Deps,
  limiter: RateLimiter,
  handler: (call: OpenCall<OperationId>) => Promise<HandlerAnswer>,
) {
  return async ({ request }: Routed, context: RequestContext): Promise<ReadyAnswer> => {
    const call = {
      deps,
      path: request.params,
      query: request.query,
      body: request.requestBody,
      clientAddress: context.clientAddress(),
      limitTo: (limit: number, scope: MerchantScope, counter: string) =>
        limitTo(limiter, scope, counter, limit),
    };
    return readyAnswer(await handler(call as unknown as OpenCall<OperationId>));
  };
}
