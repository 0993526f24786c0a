import type { RequestHandler, Response } from 'express';
import type { Admission } from './admission.ts';
import type { Ticket } from './ticket.ts';
import { byAddress } from './tickets.ts';

/** Middleware that admits requests to pages and to unknown paths. `ticketOf` returns their ticket. */
export function admitPages(admission: Admission): RequestHandler {
  return (request, response, next) => {
    admission.admit(request, response, byAddress(request), async (ticket) => {
      response.locals.ticket = ticket;
      const isAnswered = answered(response);
      next();
      await isAnswered;
    });
  };
}

/** The ticket of a request that passed `admitPages`. */
export function ticketOf(response: Response): Ticket {
  return response.locals.ticket;
}

/** Middleware for pages that read the database or render something: they wait for their turn to run. */
export const waitForTurn: RequestHandler = async (_, response, next) => {
  await ticketOf(response).turn();
  next();
};

/**
 * Resolves when a handler has ended its answer, which each does, also if the client has disconnected: until then its
 * work goes on.
 */
function answered(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const end = response.end;
    response.end = (...args: unknown[]) => {
      resolve();
      return end.apply(response, args as Parameters<typeof end>);
    };
  });
}
