import { type Html, html } from './markup.ts';
import type { Words } from './words/words.ts';

/** A line that says what the page waits for. */
export function statusLine(text: string): Html {
  return html`<p class="waiting" role="status"><span class="spinner" aria-hidden="true"></span> ${text}</p>`;
}

export interface CopiedCode {
  readonly id: string;
  readonly label: string;
  readonly code: string;
  /** The code as it is easier to read. */
  readonly shown: string;
  readonly rows: number;
}

/** A code that the buyer copies. Without a script it can be selected. */
export function copyHtml({ id, label, code, shown, rows }: CopiedCode, { status: texts }: Words): Html {
  return html`<div class="copy"><label for="${id}">${label}</label><textarea id="${id}" readonly rows="${rows}" data-code="${code}" spellcheck="false">${shown}</textarea>
<button type="button" class="pay" data-copy="${id}" data-copied="${texts.copied}" data-failed="${texts.copyFailed}" hidden>${texts.copy}</button><span class="sr-only" role="status"></span></div>`;
}

/** In São Paulo, where the acquirer's day is. */
export function shownTime(instant: string, words: Words): string {
  const form = { dateStyle: dateStyle(words), timeStyle: 'short', timeZone: 'America/Sao_Paulo' } as const;
  return new Date(instant).toLocaleString(words.locale, form);
}

/** A day in a short form: `30/11/2026` or, in English, `Nov 30, 2026`. */
export function shortDay(day: string, words: Words): string {
  const form = { dateStyle: dateStyle(words), timeZone: 'UTC' } as const;
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(words.locale, form);
}

/** The month is a word in English, because numbers alone can be misread: some readers expect the day first. */
function dateStyle({ language }: Words): 'short' | 'medium' {
  return language === 'en' ? 'medium' : 'short';
}
