import { type RequestHandler, Router } from 'express';

/** `/healthz`: the process is up. `/readyz`: it can do its work. On both listeners. */
export function healthRoutes(ready: () => Promise<void>): RequestHandler {
  const router = Router();
  // Anybody may ask, and as often as they like: whoever comes while a look is under way gets what that one finds.
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= ready().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      await look();
      response.json({ status: 'ready' });
    } catch {
      response.status(503).json({ status: 'not_ready' });
    }
  });
  return router;
}
