import { shownAmount } from '../amounts.ts';
import { html } from '../markup.ts';
import { copyHtml, shownDay, statusLine } from '../payment-parts.ts';
import { drawnIcon, type MethodPage } from './method.ts';

export const bankSlip: MethodPage = {
  icon: drawnIcon(html`<path d="M3 5v14M6.5 5v14M9 5v14M13 5v14M15.5 5v14M18 5v14M21 5v14"/>`),
  note: ({ methodNotes }) => methodNotes.bankSlip,
  means: () => null,
  isReady: ({ bank_slip }) => (bank_slip?.digitable_line ?? null) !== null,
  // The bank can report the money after the boleto has expired.
  expired: ({ status }) => ({ title: status.expiredBoleto, advice: status.expiredBoletoAdvice }),
  waiting(payment, words) {
    const { status: texts } = words;
    const { digitable_line: line, due_at, pdf_url } = payment.bank_slip!;
    const ready =
      line === null
        ? statusLine(texts.boletoPreparing)
        : html`<dl class="facts"><div><dt>${texts.amount}</dt><dd>${shownAmount(payment.amount, words.locale)}</dd></div><div><dt>${texts.boletoDue}</dt><dd><time datetime="${due_at}">${shownDay(due_at, words)}</time></dd></div></dl>
${copyHtml({ id: 'line', label: texts.boletoLine, code: line, shown: groupedLine(line), rows: 2 }, words)}
${pdf_url !== null && html`<p><a class="plain" href="${new URL(pdf_url).pathname}" target="_blank">${texts.openPdf}</a></p>`}
<ol class="steps"><li>${texts.boletoStep1}</li><li>${texts.boletoStep2}</li><li>${texts.boletoStep3}</li></ol>
<p class="hint">${texts.boletoNote}</p>`;
    return {
      title: `${texts.boletoTitle}: ${shownAmount(payment.amount, words.locale)}`,
      main: html`<h2 class="title">${texts.boletoTitle}</h2>${ready}`,
    };
  },
};

/** 47 digits in the groups in which they are printed (FEBRABAN). */
function groupedLine(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}
