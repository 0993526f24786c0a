import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../services/merchants/authenticate.ts';
import type { RateDecision } from '../../services/merchants/rate-limit.ts';
import type { Ticket } from './admission/ticket.ts';
import type { ContractOperation } from './contract.ts';

/** What is known of a request so far. Each step adds its part; the answer's headers and the log use what is there. */
export interface RequestContext {
  readonly message: IncomingMessage;
  readonly ticket: Ticket;
  operation?: ContractOperation;
  principal?: Principal;
  rate?: RateDecision;
  bodyText?: string;
  /** Methods that the path takes, when the request's is none of them. */
  allow?: readonly string[];
}
