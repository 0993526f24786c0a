import { type Request as ApiRequest, type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Deps } from '../../services/deps.ts';
import type { HeldKey } from '../../services/idempotency.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { readJsonBody, refuseAbandoned, refuseAnnouncedOversize, refuseBody } from './body.ts';
import { withNamedChoices } from './choices.ts';
import { type Contract, withoutSandbox } from './contract.ts';
import { asRefusal } from './errors.ts';
import type { Call, Handlers, OperationId } from './handler.ts';
import { onceByKey, type ReadyAnswer } from './idempotency.ts';
import { limitRate } from './rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import type { Passage } from './request-context.ts';
import type { Room } from './room.ts';
import { TrieRouter } from './router.ts';
import { authorize, identify } from './security.ts';
import { ContractValidator, contractAjv, withBoundedLists } from './validation.ts';
import { violationsRefusal } from './violations.ts';
import type { FieldNames } from './wire-paths.ts';

export const API_PREFIX = '/api/v1';

export type Pipeline = (request: ApiRequest, passage: Passage) => Promise<ReadyAnswer>;

/**
 * The order of a request's steps, once there is room for it (room.ts): route → announced size → who → its share of the
 * room → rate limit → permission → body → validate → idempotency → handler. Nobody without a key learns what a valid body
 * is, and nothing is stored for a request that did not run.
 */
export async function buildPipeline(
  deps: Deps,
  wholeContract: Contract,
  handlers: Handlers,
  { limiter, room }: { limiter: RateLimiter; room: Room },
): Promise<Pipeline> {
  // Contract row 10.4: in production the sandbox's paths are unknown paths.
  const contract = deps.sandbox === null ? withoutSandbox(wholeContract) : wholeContract;
  const known = (operationId: string | undefined) => contract.operations.get(operationId ?? '')!;
  const api = new OpenAPIBackend({
    definition: withNamedChoices(withBoundedLists(contract.document)) as unknown as Document,
    apiRoot: API_PREFIX,
    quick: true,
    coerceTypes: true,
    ignoreTrailingSlashes: false,
    customizeAjv: (_ajv, options) => contractAjv((options as { coerceTypes?: boolean }).coerceTypes === true),
  });

  // 1. Route.
  const nothingAt = ({ request: { path } }: Context) => {
    const reason = path.endsWith('/') ? ': paths do not end in a slash.' : '.';
    return new HttpRefusal(404, { code: 'not_found', message: `There is nothing at this path${reason}` });
  };
  api.register('notFound', (context: Context) => {
    throw nothingAt(context);
  });
  api.register('methodNotAllowed', (context: Context, passage: Passage) => {
    // To whom the slash is a slip, the methods of something else say nothing: behind it stands an identifier that is empty.
    if (context.request.path.endsWith('/')) throw nothingAt(context);
    passage.allow = (api.router as unknown as TrieRouter).methodsOf(context.request.path);
    throw new HttpRefusal(405, {
      code: 'method_not_allowed',
      message: `This path takes ${passage.allow.join(', ')}.`,
    });
  });
  api.register('postRoutingHandler', (context: Context, passage: Passage) => {
    if (context.operation === undefined) return;
    passage.operation = known(context.operation.operationId);
    if (passage.operation.takesBody) refuseAnnouncedOversize(passage.message);
  });

  // 2. Who: refusals reach the unauthorized handler as they were thrown.
  api.registerSecurityHandler('ApiKey', async (_context: Context, passage: Passage) => {
    const forgetKey = () => room.forgetKey(passage.message.headers.authorization);
    passage.principal = await identify(deps, passage.message, passage.operation!, forgetKey);
    return passage.principal;
  });
  // 3. Rate limit, permission and 4. body: after who, before the contract's validation.
  api.register('postSecurityHandler', async (context: Context, passage: Passage, request: ApiRequest) => {
    if (context.security?.authorized !== true) throw securityError(context);
    const { message, place } = passage;
    const { merchantId } = passage.principal!.merchant;
    room.enterShare(place, merchantId, message.headers.authorization);
    if (place.turn.merchantId !== merchantId) await room.goOn(place);
    refuseAbandoned(message);
    await limitRate(deps, limiter, passage);
    authorize(passage.principal!, passage.operation!);
    const { takesBody, needsBody, method } = passage.operation!;
    if (!takesBody) {
      if (method === 'post') await arrived(passage, refuseBody(message));
      return;
    }
    const { value, text } = await arrived(passage, readJsonBody(message, needsBody));
    passage.bodyText = text;
    request.body = value;
  });
  /** One that is all here is not waited for: were it, each would let another request start, and so the whole line. */
  async function arrived<R>({ message, place }: Passage, body: Promise<R>): Promise<R> {
    if (message.complete) return body;
    const value = await deps.waits.during(place.merchantId!, body);
    await room.goOn(place);
    return value;
  }
  // 5. Validate.
  api.register('validationFail', (context: Context) => {
    // What a list takes is wrong behind a slash, where an identifier would stand.
    if (context.request.path.endsWith('/')) throw nothingAt(context);
    throw violationsRefusal(context.validation.errors ?? []);
  });

  // 6. Idempotency and 7. handler.
  for (const [operationId, handler] of Object.entries(handlers)) {
    if (!contract.operations.has(operationId)) continue;
    api.register(operationId, (context: Context, passage: Passage) =>
      onceByKey(deps, keyedCall(context, passage), (held) =>
        runHandler(deps, context, passage, handler as never, held),
      ),
    );
  }

  await api.init();
  api.router = new TrieRouter({
    definition: api.definition,
    apiRoot: API_PREFIX,
    ignoreTrailingSlashes: false,
  });
  api.validator = new ContractValidator({
    definition: api.definition,
    router: api.router,
    lazyCompileValidators: true,
    coerceTypes: true,
    customizeAjv: (_ajv, options) => contractAjv((options as { coerceTypes?: boolean }).coerceTypes === true),
  });
  return (request, passage) => api.handleRequest(request, passage, request) as Promise<ReadyAnswer>;
}

function securityError(context: Context): unknown {
  const { error } = (context.security?.ApiKey ?? {}) as { error?: unknown };
  return error ?? new Error('The security handler gave no reason.');
}

function keyedCall(context: Context, passage: Passage) {
  return {
    operation: passage.operation!,
    principal: passage.principal!,
    headers: passage.message.headers,
    path: context.request.params as Record<string, string>,
    bodyText: passage.bodyText ?? '',
  };
}

/** A handler of whatever operation. */
interface AnyHandler {
  (call: Call<OperationId>): Promise<{ status: number; body: unknown }>;
  readonly fieldNames?: FieldNames;
}

async function runHandler(
  deps: Deps,
  context: Context,
  passage: Passage,
  handler: AnyHandler,
  held: HeldKey | undefined,
): Promise<ReadyAnswer> {
  let stored: ReadyAnswer | undefined;
  let newId = held?.resourceId;
  const call = {
    deps,
    merchant: passage.principal!.merchant,
    keyId: passage.principal!.keyId,
    path: context.request.params,
    query: context.request.query,
    body: context.request.requestBody,
    isRerun: held?.isRerun ?? false,
    // Made when it is asked for: most requests create nothing.
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
  const answer = await handler(call as unknown as Call<OperationId>).catch((error: unknown) => {
    throw asRefusal(error, handler.fieldNames) ?? error;
  });
  return stored ?? readyAnswer(answer);
}

function readyAnswer(answer: { status: number; body: unknown }): ReadyAnswer {
  return { status: answer.status, text: answer.body === undefined ? '' : JSON.stringify(answer.body) };
}
