import { createServer, type Server } from 'node:http';
import express from 'express';
import { healthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';

/** The internal listener: metrics and health, for whoever runs the service. */
export function buildInternalServer(metrics: Metrics, ready: () => Promise<void>): Server {
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRoutes(ready));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return createServer(app);
}
