import { escapeHtml } from './html.ts';
import { MONTHLY_CARD, MONTHLY_PIX_RECURRING, type Moment, type TimeLine } from './subscription-moments.ts';

/** The drawings by the names of their places in the guides. */
export const timeLineFragments = {
  'time line card': timeLineHtml(MONTHLY_CARD, 'Time line of a monthly subscription by card'),
  'time line pix recurring': timeLineHtml(
    MONTHLY_PIX_RECURRING,
    'Time line of a monthly subscription by Pix recurring',
  ),
};

/** An ordered list. site.css draws the line and its points. */
function timeLineHtml(moments: TimeLine, label: string): string {
  return `<figure><ol class="time-line" role="list" aria-label="${label}">
${moments.map(momentHtml).join('\n')}
</ol></figure>`;
}

function momentHtml({ day, time, title, status, payment, events }: Moment): string {
  const codes = events.map((event) => `<code>${event}</code>`).join(' ');
  return `<li><div class="when">${dayName(day)}, ${time}</div>
<div><strong>${escapeHtml(title)}</strong>
<div>Subscription <code>${status}</code>, payment <code>${payment}</code></div>
<div class="events">${codes === '' ? 'No event' : codes}</div></div></li>`;
}

/** `01-31` as `31 January`. */
function dayName(day: string): string {
  const date = new Date(`2001-${day}T12:00:00Z`);
  const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(date);
  return `${date.getUTCDate()} ${month}`;
}
