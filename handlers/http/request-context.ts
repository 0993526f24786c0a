import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../services/merchants/authenticate.ts';
import type { RateDecision } from '../../services/merchants/rate-limit.ts';
import type { ContractOperation } from './contract.ts';
import type { Place } from './room.ts';

/** What is known of a request on its way; the log and the answer's headers read it, however far the request came. */
export interface Passage {
  readonly message: IncomingMessage;
  readonly place: Place;
  operation?: ContractOperation;
  principal?: Principal;
  rate?: RateDecision;
  bodyText?: string;
  allow?: readonly string[];
}
