import type { EmailContent } from './email.ts';
import { type Receipt, type ReceiptText, receiptText } from './receipt.ts';

const DEFAULT_COLOR = '#0b6b53';

/** A receipt as text and as HTML, with the same words. */
export function receiptContent(receipt: Receipt): EmailContent {
  const text = receiptText(receipt);
  return {
    subject: text.subject,
    text: plainText(text),
    html: html(text, receipt.language === 'pt' ? 'pt-BR' : 'en', receipt.details.brandColor),
  };
}

function plainText({ heading, greeting, amount, rows, footer }: ReceiptText): string {
  const lines = rows.map(([label, value]) => `${label}: ${value}`);
  return `${[`${heading}: ${amount}`, greeting, lines.join('\n'), ...footer].join('\n\n')}\n`;
}

/** Mail programs show tables and inline styles alike, and ignore much else. Nothing is loaded from other servers. */
function html(text: ReceiptText, lang: string, brandColor: string | null): string {
  const color = sixDigits(brandColor ?? '') ?? DEFAULT_COLOR;
  const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
  const rows = text.rows.map(
    ([label, value]) => `<tr>
<td style="padding:8px 12px 8px 0;border-top:1px solid #e3e6ea;color:#5b6470;vertical-align:top">${escaped(label)}</td>
<td style="padding:8px 0;border-top:1px solid #e3e6ea;color:#1c2430;text-align:right;word-break:break-word">${escaped(value)}</td>
</tr>`,
  );
  const footer = text.footer.map((line) => `<p style="margin:0 0 8px">${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escaped(text.subject)}</title></head>
<body style="margin:0;padding:0;background:#f3f5f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border-radius:8px;${font};font-size:15px;line-height:1.5">
<tr><td style="height:6px;background:${color};border-radius:8px 8px 0 0;font-size:0">&nbsp;</td></tr>
<tr><td style="padding:28px 28px 8px">
<h1 style="margin:0;font-size:16px;font-weight:600;color:#5b6470">${escaped(text.heading)}</h1>
<p style="margin:4px 0 16px;font-size:32px;line-height:1.2;font-weight:700;color:#1c2430">${escaped(text.amount)}</p>
<p style="margin:0 0 20px;color:#1c2430">${escaped(text.greeting)}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:14px">
${rows.join('\n')}
</table>
</td></tr>
<tr><td style="padding:16px 28px 24px;font-size:12px;color:#5b6470">
${footer.join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** A color of 3, 4, 6 or 8 hex digits as 6, which all mail programs support; null for any other text. */
function sixDigits(color: string): string | null {
  const [, digits = ''] = /^#([\da-f]{3,8})$/i.exec(color) ?? [];
  if (digits.length === 3 || digits.length === 4) return `#${digits.slice(0, 3).replace(/./g, '$&$&')}`;
  return digits.length === 6 || digits.length === 8 ? `#${digits.slice(0, 6)}` : null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
