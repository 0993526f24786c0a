import type { Context as Routed } from 'openapi-backend';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../../services/deps.ts';
import type { HeldKey } from '../../services/idempotency.ts';
import type { AnswerStream } from './handler.ts';
import type { ReadyAnswer } from './idempotency.ts';
import type { RequestContext } from './request-context.ts';

export interface HandlerAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly stream?: AnswerStream;
}

/**
 * A request as its handler sees it. It is a class, because V8 makes hidden classes of its own for every object of a
 * literal with getters. With those, a look-up of a customer took 140 µs instead of 100.
 */
export class RequestCall {
  readonly deps: Deps;
  readonly merchant: Merchant;
  /** What was read to find the merchant of a request without a key. */
  readonly record: unknown;
  readonly keyId: string;
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly isRerun: boolean;
  /** The answer that was stored for the Idempotency-Key. */
  stored: ReadyAnswer | undefined;
  readonly #context: RequestContext;
  readonly #held: HeldKey | undefined;
  #newId: string | undefined;

  constructor(
    deps: Deps,
    { request }: Pick<Routed, 'request'>,
    context: RequestContext,
    held: HeldKey | undefined,
  ) {
    this.deps = deps;
    this.merchant = context.merchant!;
    this.record = context.record;
    this.keyId = context.principal?.keyId ?? '';
    this.path = request.params;
    this.query = request.query;
    this.body = request.requestBody;
    this.isRerun = held?.isRerun ?? false;
    this.#context = context;
    this.#held = held;
    this.#newId = held?.resourceId;
  }

  // These are computed on use, because most requests do not need them.
  get clientAddress(): string {
    return this.#context.clientAddress();
  }

  get disconnected(): AbortSignal {
    return this.#context.ticket.disconnected;
  }

  get newId(): string {
    this.#newId ??= uuidV7(this.deps.wall().getTime(), this.deps.random);
    return this.#newId;
  }

  /** A handler can take it out of the call. */
  readonly answer =
    (render: (result: unknown) => HandlerAnswer) =>
    async (tx: Parameters<HeldKey['answer']>[0], result: unknown): Promise<HandlerAnswer> => {
      const answer = render(result);
      if (this.#held === undefined) return answer;
      const ready = readyAnswer(answer);
      await this.#held.answer(tx, ready);
      this.stored = ready;
      return answer;
    };
}

export function readyAnswer({ status, body, stream }: HandlerAnswer): ReadyAnswer {
  const answer = { status, text: body === undefined ? '' : JSON.stringify(body) };
  return stream === undefined ? answer : { ...answer, stream };
}
