import { createServer, type Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Log } from '../../services/deps.ts';
import { healthRoutes } from './health.ts';
import { lastResort, nothingHere } from './last-resort.ts';
import type { Metrics } from './metrics.ts';

/** The internal listener: metrics and health for whoever runs the service, and `more` (what the gateway sends). */
export function buildInternalServer(
  metrics: Metrics,
  ready: () => Promise<void>,
  more: RequestHandler,
  log: Log,
): Server {
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRoutes(ready));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(more);
  app.use(nothingHere);
  app.use(lastResort(log));
  return createServer(app);
}
