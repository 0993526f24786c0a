import { type RequestHandler, Router } from 'express';

/** `/healthz`: the process is up. `/readyz`: it can do its work. On both listeners. */
export function healthRoutes(ready: () => Promise<void>): RequestHandler {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      await ready();
      response.json({ status: 'ready' });
    } catch {
      response.status(503).json({ status: 'not_ready' });
    }
  });
  return router;
}
