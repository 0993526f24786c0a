import { shownAmount } from '../amounts.ts';
import { html } from '../markup.ts';
import { copyHtml, shortDay, statusLine } from '../payment-parts.ts';
import { drawnIcon, type MethodPage } from './method.ts';
import { NOTHING } from './needs.ts';

const TEXTS = {
  pt: {
    note: 'Pague no app do seu banco ou em uma lotérica. A confirmação leva até 2 dias úteis.',
    title: 'Seu boleto está pronto',
    line: 'Código de barras',
    due: 'Vencimento',
    confirmation:
      'Guarde o endereço desta página: o boleto fica nela. Depois de pago, ele leva até 2 dias úteis para ser confirmado.',
    step1: 'Abra o app do seu banco e escolha pagar boleto, ou vá a uma lotérica ou agência.',
    step2: 'Cole o código, ou leia o código de barras do PDF.',
    step3: 'Confira o valor e pague até o vencimento.',
    preparing: 'Estamos gerando o seu boleto…',
    openPdf: 'Abrir boleto em PDF',
    refused: 'O banco não aceitou este boleto. Confira o CPF ou CNPJ e tente de novo em instantes.',
    expired: 'Este boleto venceu',
    expiredAdvice:
      'Se você já pagou, não pague de novo: a confirmação leva até 2 dias úteis, e depois aparece nesta página. Se não pagou, gere um novo pagamento.',
  },
  en: {
    note: 'Pay in your bank’s app or at a lottery shop. The confirmation takes up to 2 business days.',
    title: 'Your boleto is ready',
    line: 'Barcode number',
    due: 'Due date',
    confirmation:
      'Keep the address of this page: the boleto stays here. Once paid, it takes up to 2 business days to be confirmed.',
    step1: 'Open your bank’s app and choose to pay a boleto, or go to a lottery shop or a bank.',
    step2: 'Paste the number, or scan the barcode of the PDF.',
    step3: 'Check the amount, and pay by the due date.',
    preparing: 'We are preparing your boleto…',
    openPdf: 'Open the boleto as PDF',
    refused: 'The bank did not accept this boleto. Check the CPF or CNPJ and try again shortly.',
    expired: 'This boleto has expired',
    expiredAdvice:
      'If you have paid it, do not pay again: the confirmation takes up to 2 business days, and this page then shows it. If you have not, start a new payment.',
  },
} as const;

export const bankSlip: MethodPage = {
  name: { pt: 'Boleto', en: 'Boleto' },
  icon: drawnIcon(html`<path d="M3 5v14M6.5 5v14M9 5v14M13 5v14M15.5 5v14M18 5v14M21 5v14"/>`),
  needs: { ...NOTHING, document: true, address: true },
  note: ({ language }) => TEXTS[language].note,
  means: () => null,
  codeField: 'bank_slip.digitable_line',
  refused: ({ language }) => TEXTS[language].refused,
  // The bank can report the money after the boleto has expired.
  expired: ({ language }) => ({ title: TEXTS[language].expired, advice: TEXTS[language].expiredAdvice }),
  waiting(payment, words) {
    const texts = TEXTS[words.language];
    const { digitable_line: line, due_at, pdf_url } = payment.bank_slip!;
    const ready =
      line === null
        ? statusLine(texts.preparing)
        : html`<dl class="facts"><div><dt>${words.status.amount}</dt><dd>${shownAmount(payment.amount, words.locale)}</dd></div><div><dt>${texts.due}</dt><dd><time datetime="${due_at}">${shortDay(due_at, words)}</time></dd></div></dl>
${copyHtml({ id: 'line', label: texts.line, code: line, shown: groupedLine(line), rows: 2 }, words)}
${pdf_url !== null && html`<p><a class="plain" href="${new URL(pdf_url).pathname}" target="_blank">${texts.openPdf}</a></p>`}
<ol class="steps"><li>${texts.step1}</li><li>${texts.step2}</li><li>${texts.step3}</li></ol>
<p class="hint">${texts.confirmation}</p>`;
    return {
      title: `${texts.title}: ${shownAmount(payment.amount, words.locale)}`,
      main: html`<h2 class="title">${texts.title}</h2>${ready}`,
    };
  },
};

/** 47 digits in the groups in which they are printed (FEBRABAN). */
function groupedLine(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}
