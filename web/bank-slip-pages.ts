import { type RequestHandler, type Response, Router } from 'express';
import type { Deps } from '../services/deps.ts';
import { findBankSlip } from '../services/payments/methods/find-bank-slip.ts';
import { bankSlipPdf } from './bank-slip-pdf.ts';

/**
 * Serves `/bank-slips/{hash}.pdf`, the `pdf_url` of a payment by boleto. Buyers open it, without an API key. The pages
 * are for Brazilian buyers, so they are in Portuguese.
 */
export function bankSlipPages(deps: Deps): RequestHandler {
  const router = Router();
  router.get('/bank-slips/:hash.pdf', async (request, response) => {
    // A search engine that finds the address must not show it to others.
    response.setHeader('X-Robots-Tag', 'noindex');
    const found = await findBankSlip(deps, request.params.hash);
    if (found === undefined) {
      sendNotice(
        response,
        404,
        'Boleto não encontrado',
        'Confira o endereço, ou peça um novo boleto à loja.',
      );
    } else if (found.kind === 'withdrawn') {
      sendNotice(response, 410, 'Boleto cancelado', 'Não pague este boleto. Peça um novo à loja.');
    } else {
      const pdf = await bankSlipPdf(found.slip);
      response.setHeader('Content-Disposition', 'inline; filename="boleto.pdf"');
      // The policy of all pages, `default-src 'none'`, would also be the policy of the browser's PDF viewer.
      response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
      response.type('application/pdf').send(pdf);
    }
  });
  return router;
}

function sendNotice(response: Response, status: number, title: string, advice: string): void {
  response
    .status(status)
    .type('html')
    .send(`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${advice}</p>
</main>
</body>
</html>
`);
}
