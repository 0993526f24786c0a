import { shownAmount } from '../amounts.ts';
import { html } from '../markup.ts';
import { copyHtml, shownTime, statusLine } from '../payment-parts.ts';
import { drawnIcon, type MethodPage } from './method.ts';

export const pix: MethodPage = {
  icon: drawnIcon(
    html`<path d="M12 2.6 21.4 12 12 21.4 2.6 12Z"/><path d="M6.8 8.2h1.6L12 11.8l3.6-3.6h1.6M6.8 15.8h1.6L12 12.2l3.6 3.6h1.6"/>`,
  ),
  note: ({ methodNotes }) => methodNotes.pix,
  means: () => null,
  isReady: ({ pix }) => (pix?.qr_code ?? null) !== null,
  expired: ({ status }) => ({ title: status.expiredPix, advice: status.expired }),
  waiting(payment, words) {
    const { status: texts } = words;
    const { qr_code, qr_code_image, expires_at, expires_in_s } = payment.pix!;
    const ready =
      qr_code === null
        ? statusLine(texts.pixPreparing)
        : // The code comes first, because a phone cannot scan its own screen. The style shows the QR code first on wide screens.
          html`<p class="lead">${texts.pixScan}</p>
<p class="left" id="left" data-seconds="${expires_in_s}" data-text="${texts.expiresIn}">${texts.expiresAt} <time datetime="${expires_at}">${shownTime(expires_at, words)}</time></p>
${copyHtml({ id: 'code', label: texts.pixCode, code: qr_code, shown: qr_code, rows: 3 }, words)}
<div class="qr"><img src="${qr_code_image}" alt="${texts.pixQr}" width="228" height="228"></div>
<ol class="steps"><li>${texts.pixStep1}</li><li>${texts.pixStep2}</li><li>${texts.pixStep3}</li></ol>
${statusLine(texts.waiting)}`;
    return {
      title: `${texts.pixTitle}: ${shownAmount(payment.amount, words.locale)}`,
      main: html`<h2 class="title">${texts.pixTitle}</h2>${ready}`,
    };
  },
};
