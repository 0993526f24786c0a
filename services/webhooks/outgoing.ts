import type { OutgoingFailureCode } from '../../domain/webhooks/outgoing-failure.ts';

/** A call to an address that a merchant gave. `webhooks/outgoing-calls.ts` makes it. */
export interface OutgoingCall {
  /** Any text. It is checked at each call, even if it was checked when the merchant set it. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** How much of the answer is read. Default: what the client was built with. */
  readonly maxAnswer_bytes?: number;
}

export type OutgoingResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The beginning of the body, not decompressed. */
      readonly body: Buffer;
      /** Whether the answer was longer. Its rest was not read. */
      readonly isCut: boolean;
    }
  | ({ readonly kind: 'failed' } & OutgoingFailure);

export interface OutgoingFailure {
  readonly code: OutgoingFailureCode;
  /** A sentence for the merchant, without any part of the answer. */
  readonly message: string;
}

export interface Outgoing {
  /** Makes one call. Never throws. */
  call(call: OutgoingCall): Promise<OutgoingResult>;
}

export type OutgoingEnd = (result: OutgoingResult) => void;

/** Also makes calls without a promise for each, which is faster where many follow each other. */
export interface OutgoingSender extends Outgoing {
  /** `ended` is called later, and must not throw. */
  begin(call: OutgoingCall, ended: OutgoingEnd): void;
}
