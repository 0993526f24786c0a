import type { IncomingMessage } from 'node:http';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Principal } from '../../services/merchants/authenticate.ts';
import type { RateDecision } from '../../services/merchants/rate-limit.ts';
import type { Ticket } from './admission/ticket.ts';
import type { ContractOperation } from './contract.ts';

/** The parts of a page's call that the message of its reader does not have. */
export interface PageCall {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; absent if the operation takes no body. */
  readonly bodyText: string | undefined;
}

/** The state of a request. Each step adds its part. The answer's headers and the log use what is set. */
export interface RequestContext {
  /** Set if a page calls the operation for its reader. */
  readonly pageCall?: PageCall;
  readonly message: IncomingMessage;
  readonly ticket: Ticket;
  /** The network address of the client. */
  readonly clientAddress: () => string;
  operation?: ContractOperation;
  /** The merchant of the API key or, without a key, of the record that the path names. */
  merchant?: Merchant;
  /** Without a key: the record that the path names, if it was read to find the merchant. */
  record?: unknown;
  /** Whose request it is for admission control, if not the merchant's. */
  tenant?: string;
  /** Undefined for an operation without a key. */
  principal?: Principal;
  rate?: RateDecision;
  bodyText?: string;
  /** Methods of the path, if the request has another method. */
  allow?: readonly string[];
}
