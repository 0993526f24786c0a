import { createServer, type Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Log } from '../../services/deps.ts';
import { errorHandler, notFoundHandler } from './error-handler.ts';
import { healthRoutes } from './health.ts';
import { refuseOtherHosts } from './host-names.ts';
import type { Metrics } from './metrics.ts';
import { readTarget } from './target.ts';
import { answerUnreadable, refuseBadHost } from './unreadable.ts';

export interface InternalServerOptions {
  readonly metrics: Metrics;
  /** Throws while the database or the worker cannot be reached. */
  readonly ready: () => Promise<void>;
  /** Accepted host names, in addition to IP literals and `localhost`. */
  readonly publicHosts: readonly string[];
  /** Serves the acquirer's notifications. */
  readonly notifications: RequestHandler;
  readonly log: Log;
}

/** Builds the internal server without starting it: metrics, health checks, and the acquirer's notifications. */
export function buildInternalServer(options: InternalServerOptions): Server {
  const { metrics, ready, publicHosts, notifications, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.use(refuseOtherHosts(publicHosts));
  app.use(healthRoutes(ready));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(notifications);
  app.use(notFoundHandler);
  app.use(errorHandler(log));
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (refuseBadHost(request, response)) return;
    readTarget(request);
    app(request, response);
  });
  answerUnreadable(server);
  return server;
}
