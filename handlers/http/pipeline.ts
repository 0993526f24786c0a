import {
  type Request as ApiRequest,
  type Document,
  OpenAPIBackend,
  type Context as Routed,
} from 'openapi-backend';
import { partOf } from '../../services/counts.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { AddressLimit } from './address-limit.ts';
import type { KnownKeys } from './admission/known-keys.ts';
import { UnfinishedBodies } from './admission/unfinished-bodies.ts';
import { parseJsonBody, readJsonBody, refuseAbandoned, refuseAnnouncedOversize, refuseBody } from './body.ts';
import { withNamedChoices } from './choices.ts';
import { type Contract, withoutSandbox } from './contract.ts';
import type { Handlers, OperationId, RecordOwner } from './handler.ts';
import { onceByKey, type ReadyAnswer } from './idempotency.ts';
import { refuseUnapproved } from './permissions.ts';
import { limitAddress, limitRate } from './rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import { RequestCall } from './request-call.ts';
import type { RequestContext } from './request-context.ts';
import { TrieRouter } from './router.ts';
import { type AnyHandler, openOperation, runHandler } from './run-handler.ts';
import { authorize, identify } from './security.ts';
import { ContractValidator, contractAjv, withBoundedLists } from './validation.ts';
import { violationsRefusal } from './violations.ts';

export const API_PREFIX = '/api/v1';

export type Pipeline = (request: ApiRequest, context: RequestContext) => Promise<ReadyAnswer>;

interface PipelineOptions {
  readonly limiter: RateLimiter;
  readonly knownKeys: KnownKeys;
}

/** What the steps are made of. */
interface Parts extends PipelineOptions {
  readonly deps: Deps;
  readonly contract: Contract;
  readonly handlers: Handlers;
}

/**
 * Builds the steps of an admitted request: route → `Content-Length` → caller → tenant quota → rate limit → permission →
 * body → turn to run → validation → idempotency → handler. So callers without a key get no hints about valid bodies,
 * and nothing is stored for a request that does not run.
 */
export async function buildPipeline(
  deps: Deps,
  wholeContract: Contract,
  handlers: Handlers,
  options: PipelineOptions,
): Promise<Pipeline> {
  // In production, the sandbox's paths are unknown paths (contract row 10.4).
  const contract = deps.sandbox === null ? contractOfProduction(wholeContract) : wholeContract;
  const api = new OpenAPIBackend({
    definition: definitionOf(contract),
    apiRoot: API_PREFIX,
    quick: true,
    coerceTypes: true,
    ignoreTrailingSlashes: false,
    customizeAjv,
  });
  const parts = { ...options, deps, contract, handlers };
  addRouting(api, contract);
  addAdmissionOfCaller(api, parts);
  addValidation(api);
  addHandlers(api, parts);
  await api.init();
  const { router, validator } = routingOf(api.definition);
  api.router = router;
  api.validator = validator;
  return (request, context) => api.handleRequest(request, context, request) as Promise<ReadyAnswer>;
}

/**
 * The same result for the same object: what follows from the contract is made once in a process, even if it starts many
 * services, as tests do. The validators of an operation take up to a tenth of a second to compile.
 */
function onceForEach<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const made = new WeakMap<Key, Result>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

const contractOfProduction = onceForEach(withoutSandbox);

const definitionOf = onceForEach(
  ({ document }: Contract) => withNamedChoices(withBoundedLists(document)) as unknown as Document,
);

/** openapi-backend resolves the references of a definition once, too. */
const routingOf = onceForEach((definition: Document) => {
  const router = new TrieRouter({ definition, apiRoot: API_PREFIX, ignoreTrailingSlashes: false });
  const validator = new ContractValidator({
    definition,
    router,
    lazyCompileValidators: true,
    coerceTypes: true,
    customizeAjv,
  });
  return { router, validator };
});

function customizeAjv(_ajv: unknown, options: unknown) {
  return contractAjv((options as { coerceTypes?: boolean }).coerceTypes === true);
}

/** Route, and `Content-Length`. */
function addRouting(api: OpenAPIBackend, contract: Contract): void {
  api.register('notFound', (routed: Routed) => {
    throw nothingAt(routed);
  });
  api.register('methodNotAllowed', (routed: Routed, context: RequestContext) => {
    // A path that ends in a slash has an empty identifier. The methods of the other path would be misleading.
    if (routed.request.path.endsWith('/')) throw nothingAt(routed);
    context.allow = (api.router as unknown as TrieRouter).methodsOf(routed.request);
    throw new HttpRefusal(405, {
      code: 'method_not_allowed',
      message: `This path takes ${context.allow.join(', ')}.`,
    });
  });
  api.register('postRoutingHandler', (routed: Routed, context: RequestContext) => {
    if (routed.operation === undefined) return;
    context.operation = contract.operations.get(routed.operation.operationId ?? '')!;
    if (context.operation.takesBody) refuseAnnouncedOversize(context.message);
  });
}

function nothingAt({ request: { path } }: Routed): HttpRefusal {
  const reason = path.endsWith('/') ? ': paths do not end in a slash.' : '.';
  return new HttpRefusal(404, { code: 'not_found', message: `There is nothing at this path${reason}` });
}

/** Caller, tenant quota, rate limit, permission, body and turn to run: the steps before validation. */
function addAdmissionOfCaller(
  api: OpenAPIBackend,
  { deps, handlers, limiter, knownKeys }: Omit<Parts, 'contract'>,
): void {
  const unfinishedBodies = new UnfinishedBodies();
  const addressLimit = new AddressLimit(deps.wall);
  const receive = (context: RequestContext, request: ApiRequest) => {
    const read = () => receiveBody(context, request);
    if (!context.operation!.isOpen) return read();
    return unfinishedBodies.limit(context.message, context.clientAddress(), read);
  };
  // openapi-backend catches what this handler throws; `securityError` returns it.
  api.registerSecurityHandler('ApiKey', async (_routed: Routed, context: RequestContext) => {
    const onInvalidKey = () => knownKeys.forget(context.message.headers.authorization);
    context.principal = await identify(deps, context.message, context.operation!, onInvalidKey);
    return context.principal;
  });
  api.register(
    'postSecurityHandler',
    async (routed: Routed, context: RequestContext, request: ApiRequest) => {
      const { message, ticket, operation } = context;
      const { addressLimit: ofOperation } = handlers[operation!.operationId as OperationId];
      if (ofOperation !== undefined) {
        refuseAbandoned(message);
        await limitAddress(deps, limiter, context, ofOperation);
        await receive(context, request);
        await ticket.turn();
        return;
      }
      if (operation!.isOpen) {
        addressLimit.count(context);
        const { merchant, tenant, record } = await ownerOf(deps, handlers, routed);
        context.merchant = merchant;
        context.tenant = partOf(tenant, context.clientAddress());
        context.record = record;
        ticket.assign(context.tenant);
      } else {
        if (routed.security?.authorized !== true) throw securityError(routed);
        context.merchant = context.principal!.merchant;
        const { merchantId } = context.merchant;
        knownKeys.remember(message.headers.authorization, merchantId);
        ticket.assign(merchantId);
      }
      if (context.pageCall === undefined) refuseAbandoned(message);
      await limitRate(deps, limiter, context);
      if (context.principal === undefined) refuseUnapproved(context.merchant, operation!);
      else authorize(context.principal, operation!);
      await receive(context, request);
      await ticket.turn();
    },
  );
}

/** Whose record the path of an operation without a key names. */
function ownerOf(
  deps: Deps,
  handlers: Handlers,
  { operation, request }: Routed,
): Promise<RecordOwner<unknown>> {
  const { findOwner } = handlers[operation.operationId as OperationId] as unknown as AnyHandler;
  if (findOwner === undefined) throw new Error(`${operation.operationId} must have a findOwner.`);
  return findOwner(deps, request.params);
}

function securityError(routed: Routed): unknown {
  const { error } = (routed.security?.ApiKey ?? {}) as { error?: unknown };
  return error ?? new Error('The security handler gave no reason.');
}

async function receiveBody(context: RequestContext, request: ApiRequest): Promise<void> {
  const { message, pageCall } = context;
  const { takesBody, needsBody, method } = context.operation!;
  if (pageCall !== undefined) {
    if (pageCall.bodyText === undefined) return;
    const { value, text } = parseJsonBody(pageCall.bodyText);
    context.bodyText = text;
    request.body = value;
  } else if (takesBody) {
    const { value, text } = await readJsonBody(message, needsBody);
    context.bodyText = text;
    request.body = value;
  } else if (method === 'post') await refuseBody(message);
}

function addValidation(api: OpenAPIBackend): void {
  api.register('validationFail', (routed: Routed) => {
    // A path that ends in a slash has an empty identifier. It is not the path of the list.
    if (routed.request.path.endsWith('/')) throw nothingAt(routed);
    throw violationsRefusal(routed.validation.errors ?? []);
  });
}

/** Idempotency and handlers. */
function addHandlers(api: OpenAPIBackend, { deps, contract, handlers, limiter }: Parts): void {
  for (const [operationId, handler] of Object.entries(handlers)) {
    if (!contract.operations.has(operationId)) continue;
    if (handler.addressLimit !== undefined) {
      api.register(operationId, openOperation(deps, limiter, handler as never));
      continue;
    }
    api.register(operationId, (routed: Routed, context: RequestContext) =>
      onceByKey(deps, keyedCall(routed, context), (held) =>
        runHandler(handler as never, new RequestCall(deps, routed, context, held), context.tenant),
      ),
    );
  }
}

function keyedCall(routed: Routed, context: RequestContext) {
  return {
    operation: context.operation!,
    scope: context.merchant!,
    headers: context.pageCall?.headers ?? context.message.headers,
    path: routed.request.params as Record<string, string>,
    bodyText: context.bodyText ?? '',
  };
}
