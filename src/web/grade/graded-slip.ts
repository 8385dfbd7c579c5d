import type { GradedSlip } from '../../api/operations/slips/slip-schemas.ts';
import { bulletList, type Html, html } from '../layout/html.ts';
import { legItem } from './leg-item.ts';

/** What is shown of a graded slip. */
export type GradedLegs = Pick<GradedSlip, 'legs' | 'summary'>;

/** Seconds until the page refreshes. */
const [REFRESH_SECONDS, REFRESH_SECONDS_BEFORE_START] = [20, 60];

/** A slip that a script follows while its games run. @param live the path of what has changed */
export const followedSlip = (graded: GradedLegs, live: string, now: number): Html =>
  html`<div id="followed" data-live="${live}">${gradedSection(graded, now)}</div>
<p id="following" class="facts" hidden></p>
<p id="news" class="hidden-text" role="status"></p>`;

/** The part that changes while games run. Its `data-again` tells when to refresh, if anything is pending. */
export function gradedSection(graded: GradedLegs, now: number): Html {
  const pending = graded.legs.filter(({ result }) => result === 'in_progress');
  const hasStarted = pending.some(
    ({ market }) => market.starts_at !== undefined && Date.parse(market.starts_at) <= now,
  );
  const again = pending.length === 0 ? undefined : hasStarted ? REFRESH_SECONDS : REFRESH_SECONDS_BEFORE_START;
  return html`<section class="graded" aria-labelledby="result"${again !== undefined && html` data-again="${again}"`}>
<h2 id="result">${summaryText(graded)}</h2>
<ol class="legs">${graded.legs.map((leg) => legItem(leg, now))}</ol>
</section>`;
}

export function summaryText({ summary, legs }: GradedLegs): string {
  const waiting = legs.filter(({ result }) => result === 'in_progress').length;
  const parts: [number, string][] = [
    [summary.hits, 'won'],
    [summary.misses, 'lost'],
    [summary.pushes, 'push'],
    [summary.voids, 'void'],
    [waiting, 'open'],
    [summary.pending - waiting, 'without a statistic'],
    [summary.unmapped, 'not graded'],
  ];
  return parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
}

/** A link for others. @param note what it holds, and what they see */
export const shareSection = (path: string, baseUrl: string, note: string): Html =>
  html`<section class="sharing" aria-labelledby="share"><h2 id="share">Share it</h2>
<p>${note}</p>
<p class="copied"><a id="link" href="${path}">${baseUrl}${path}</a></p></section>`;

export const gradingRules = ({ honesty }: Pick<GradedSlip, 'honesty'>): Html =>
  html`<details class="rules"><summary>How slips are graded</summary>
<p>${honesty.note}</p>
${Object.entries(honesty.house_rules).map(([sport, rules]) => html`<h3>${sport}</h3>${bulletList(rules)}`)}
<h3>Not graded</h3>${bulletList(honesty.not_graded)}
</details>`;
