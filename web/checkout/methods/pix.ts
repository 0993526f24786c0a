import { shownAmount } from '../amounts.ts';
import { html } from '../markup.ts';
import { copyHtml, shownTime, statusLine } from '../payment-parts.ts';
import { drawnIcon, type MethodPage } from './method.ts';
import { NOTHING } from './needs.ts';

const TEXTS = {
  pt: {
    note: 'Você recebe um QR code e um código para copiar. A confirmação leva segundos.',
    title: 'Pague com Pix',
    scan: 'Copie o código e cole no app do seu banco, ou leia o QR code com a câmera do app.',
    step1: 'Abra o app do seu banco e escolha Pix.',
    step2: 'Cole o código em “Pix copia e cola”, ou leia o QR code.',
    step3: 'Confira o valor e confirme. Esta página mostra a confirmação.',
    code: 'Pix copia e cola',
    qr: 'QR code do Pix',
    preparing: 'Estamos gerando o seu código Pix…',
    refused: 'O banco não aceitou este Pix. Tente de novo em instantes.',
    expired: 'Este Pix expirou',
  },
  en: {
    note: 'You get a QR code and a code to copy. The confirmation takes seconds.',
    title: 'Pay with Pix',
    scan: 'Copy the code and paste it in your bank’s app, or scan the QR code with the app.',
    step1: 'Open your bank’s app and choose Pix.',
    step2: 'Paste the code under “Pix copia e cola”, or scan the QR code.',
    step3: 'Check the amount and confirm. This page shows the confirmation.',
    code: 'Pix code (copia e cola)',
    qr: 'Pix QR code',
    preparing: 'We are preparing your Pix code…',
    refused: 'The bank did not accept this Pix. Try again shortly.',
    expired: 'This Pix has expired',
  },
} as const;

export const pix: MethodPage = {
  name: { pt: 'Pix', en: 'Pix' },
  icon: drawnIcon(
    html`<path d="M12 2.6 21.4 12 12 21.4 2.6 12Z"/><path d="M6.8 8.2h1.6L12 11.8l3.6-3.6h1.6M6.8 15.8h1.6L12 12.2l3.6 3.6h1.6"/>`,
  ),
  needs: NOTHING,
  note: ({ language }) => TEXTS[language].note,
  means: () => null,
  codeField: 'pix.qr_code',
  refused: ({ language }) => TEXTS[language].refused,
  expired: ({ language, status }) => ({ title: TEXTS[language].expired, advice: status.expired }),
  waiting(payment, words) {
    const texts = TEXTS[words.language];
    const { status } = words;
    const { qr_code, qr_code_image, expires_at, expires_in_s } = payment.pix!;
    const ready =
      qr_code === null
        ? statusLine(texts.preparing)
        : // The code comes first, because a phone cannot scan its own screen. The style shows the QR code first on wide
          // screens.
          html`<p class="lead">${texts.scan}</p>
<p class="left" id="left" data-seconds="${expires_in_s}" data-text="${status.expiresIn}">${status.expiresAt} <time datetime="${expires_at}">${shownTime(expires_at, words)}</time></p>
${copyHtml({ id: 'code', label: texts.code, code: qr_code, shown: qr_code, rows: 1 }, words)}
<div class="qr"><img src="${qr_code_image}" alt="${texts.qr}" width="228" height="228"></div>
<ol class="steps"><li>${texts.step1}</li><li>${texts.step2}</li><li>${texts.step3}</li></ol>
${statusLine(status.waiting)}`;
    return {
      title: `${texts.title}: ${shownAmount(payment.amount, words.locale)}`,
      main: html`<h2 class="title">${texts.title}</h2>${ready}`,
    };
  },
};
