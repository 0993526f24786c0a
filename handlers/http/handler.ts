import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { operations } from '../../generated/types.ts';
import type { Deps, Finish } from '../../services/deps.ts';
import type { FieldNames } from './wire-paths.ts';

export type OperationId = keyof operations;

type Json<Media> = Media extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Success = 200 | 201 | 202 | 204;

/** The answers of an operation that are not refusals: those are thrown, and rendered in one place. */
export type Answer<Op extends OperationId> = {
  [Status in keyof operations[Op]['responses'] & Success]: {
    readonly status: Status;
    readonly body: Json<operations[Op]['responses'][Status]>;
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

/** A validated request of a known merchant, as a handler sees it. */
export interface Call<Op extends OperationId> {
  readonly deps: Deps;
  readonly merchant: Merchant;
  /** The API key that asks. */
  readonly keyId: string;
  readonly path: Parameters<Op, 'path'>;
  readonly query: Parameters<Op, 'query'>;
  readonly body: Body<Op>;
  /**
   * The id for what this request creates. Under an Idempotency-Key it is the same on every run of the request, so a
   * run after a death finds what an earlier one began.
   */
  readonly newId: string;
  /** An earlier run of this request died before it answered: what it began under `newId` is to be finished. */
  readonly isRerun: boolean;
  /** Wraps a rendering so that it runs, and the idempotent answer is stored, inside the use case's transaction. */
  answer<Result>(render: (result: Result) => Answer<Op>): Finish<Result, Answer<Op>>;
}

/** One operation. A status or body that the contract does not know does not compile. */
export interface Handler<Op extends OperationId> {
  (call: Call<Op>): Promise<Answer<Op>>;
  /** Where the request has the fields that the use case can refuse. */
  readonly fieldNames?: FieldNames;
}

/** A handler whose use case has other fields, or other names for them, than the request. */
export function withFieldNames<Op extends OperationId>(
  fieldNames: FieldNames,
  handle: (call: Call<Op>) => Promise<Answer<Op>>,
): Handler<Op> {
  return Object.assign(handle, { fieldNames });
}

export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
