import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { operations } from '../../generated/types.ts';
import type { Deps, Finish } from '../../services/deps.ts';
import type { FieldNames } from './wire-paths.ts';

export type OperationId = keyof operations;

type Json<Media> = Media extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Success = 200 | 201 | 202 | 204;

/**
 * Writes events until the stream ends or `closed` is aborted. The server always calls it, also when the client has
 * disconnected already. It must not throw for a client that has disconnected.
 */
export type AnswerStream = (write: (text: string) => void, closed: AbortSignal) => Promise<void>;

/** The successful answers of an operation. Refusals are thrown instead. */
export type Answer<Op extends OperationId> = {
  [Status in keyof operations[Op]['responses'] & Success]: {
    readonly status: Status;
    readonly body: Json<operations[Op]['responses'][Status]>;
    /** Set if the contract has `text/event-stream` for this status. */
    readonly stream?: AnswerStream;
  };
}[keyof operations[Op]['responses'] & Success];

type Parameters<Op extends OperationId, Place extends 'path' | 'query'> = operations[Op] extends {
  parameters: { [P in Place]?: infer Given };
}
  ? NonNullable<Given>
  : Record<string, never>;

export type Body<Op extends OperationId> = operations[Op] extends { requestBody: infer Required }
  ? Json<Required>
  : Json<NonNullable<operations[Op]['requestBody']>> | undefined;

/** The merchant of a request without an API key. */
export interface RecordOwner<Found = undefined> {
  readonly merchant: Merchant;
  /** Admission control charges the request to it, as a part for its network address. */
  readonly tenant: string;
  /** The record that was read to find the merchant. The handler does not read it again. */
  readonly record: Found;
}

/** A validated request of a known merchant, as a handler sees it. */
export interface Call<Op extends OperationId> {
  readonly deps: Deps;
  readonly merchant: Merchant;
  /** The API key of the request; empty for an operation without a key. */
  readonly keyId: string;
  /** The network address of the client; for IPv6, its network. */
  readonly clientAddress: string;
  readonly path: Parameters<Op, 'path'>;
  readonly query: Parameters<Op, 'query'>;
  readonly body: Body<Op>;
  /**
   * The id of the object that this request creates. With an Idempotency-Key it is the same in every run of the request,
   * so a run after a crash finds what an earlier run has begun.
   */
  readonly newId: string;
  /** An earlier run of this request crashed before it answered. This run must finish what it began with `newId`. */
  readonly isRerun: boolean;
  /** Aborted when the client disconnects, for requests that wait. */
  readonly disconnected: AbortSignal;
  /** Wraps a rendering, so that it runs and the idempotent answer is stored in the use case's transaction. */
  answer<Result>(render: (result: Result) => Answer<Op>): Finish<Result, Answer<Op>>;
}

/** A validated request of an operation without an API key. `record` is what its `findOwner` has read. */
interface OwnedCall<Op extends OperationId, Found> extends Call<Op> {
  readonly record: Found;
}

/** A validated request of an operation that has neither an API key nor a merchant in its path. */
export interface OpenCall<Op extends OperationId>
  extends Pick<Call<Op>, 'deps' | 'clientAddress' | 'path' | 'query' | 'body'> {
  /** Counts the request towards another limit per minute, with the id `counter`. Refuses (429) above the limit. */
  limitTo(limit: number, scope: MerchantScope, counter: string): Promise<void>;
}

/** One operation. It does not compile with a status or body that the contract does not have. */
export interface Handler<Op extends OperationId> {
  (call: Call<Op>): Promise<Answer<Op>>;
  /** Paths in the request of the fields that the use case can refuse. */
  readonly fieldNames?: FieldNames;
  /** For an operation without an API key: finds the merchant whose record the path names. */
  readonly findOwner?: (deps: Deps, path: Parameters<Op, 'path'>) => Promise<RecordOwner<unknown>>;
  /** For an operation without an API key whose path names no record: requests per minute of one client address. */
  readonly addressLimit?: number;
}

/** A handler whose use case has other field names than the request. */
export function withFieldNames<Op extends OperationId>(
  fieldNames: FieldNames,
  handle: (call: Call<Op>) => Promise<Answer<Op>>,
): Handler<Op> {
  return Object.assign(handle, { fieldNames });
}

/** A handler of an operation without an API key. */
export function withOwner<Op extends OperationId, Found = undefined>(
  findOwner: (deps: Deps, path: Parameters<Op, 'path'>) => Promise<RecordOwner<Found>>,
  handle: (call: OwnedCall<Op, Found>) => Promise<Answer<Op>>,
): Handler<Op> {
  return Object.assign(handle as Handler<Op>, { findOwner });
}

/** A handler of an operation that has neither an API key nor a merchant in its path. */
export function openHandler<Op extends OperationId>(
  addressLimit: number,
  handle: (call: OpenCall<Op>) => Promise<Answer<Op>>,
): Handler<Op> {
  return Object.assign(handle as unknown as Handler<Op>, { addressLimit });
}

export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
