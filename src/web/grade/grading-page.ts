import { ApiError } from '../../api/calls/api-errors.ts';
import type { GradedSlip } from '../../api/operations/slips/slip-schemas.ts';
import { bulletList, type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, scriptAsset, styleAsset } from '../layout/page-assets.ts';
import { CONTENT_POLICY, sitePage } from '../layout/site-page.ts';
import { GRADING_SCRIPT } from './grading-script.ts';
import { GRADING_STYLE } from './grading-style.ts';
import { legItem } from './leg-item.ts';

/** What the grading page loads beside the documentation's style. */
export const GRADING_ASSETS = {
  style: styleAsset('/grade/assets/sheet', GRADING_STYLE),
  script: scriptAsset('/grade/assets/sheet', GRADING_SCRIPT),
} as const;

/** The data of the page. */
export interface GradingPageView {
  /** As the user typed it. */
  readonly text: string;
  readonly graded?: GradedSlip;
  /** Lets the page follow the slip. */
  readonly ticket?: string;
  /** What is wrong with the text. */
  readonly fieldError?: string;
  /** Why there is no grade, if the text is not the reason. */
  readonly refusal?: { readonly message: string; readonly requestId: string };
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly isSimulated: boolean;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  /** Milliseconds. */
  readonly now: number;
}

interface RenderedGradingPage {
  readonly body: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
}

const HEADERS = [
  ...['Content-Security-Policy', CONTENT_POLICY, 'X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'same-origin'],
  ...['Cache-Control', 'no-store', 'Cross-Origin-Resource-Policy', 'same-origin'],
];
const SECURE = ['Strict-Transport-Security', 'max-age=31536000'];

const MAX_TEXT_LENGTH = 2000;
const EXAMPLE = 'Chiefs -3.5\nCeltics ML\nLakers vs Celtics over 224.5';
/** Seconds until the page refreshes. */
const [REFRESH_SECONDS, REFRESH_SECONDS_BEFORE_START] = [20, 60];

/** The grading page. Everything works without scripts. */
export function gradingPage(shown: GradingPageView): RenderedGradingPage {
  const { graded, fieldError, refusal, baseUrl, isSimulated, now } = shown;
  const title = graded
    ? `Graded slip: ${summaryText(graded)}`
    : fieldError || refusal
      ? 'Slip not graded'
      : 'Grade a slip';
  const body = sitePage({
    path: '/grade',
    title: `${title} · Ledgerline`,
    description: 'Paste a bet slip and see it graded, leg by leg.',
    pages: shown.pages,
    isUnlisted: true,
    styles: [BASE_ASSETS.style.path, GRADING_ASSETS.style.path],
    scripts: [GRADING_ASSETS.script.path],
    skip: 'Skip to the slip',
    className: 'sheet',
    content: html`${isSimulated && html`<p class="simulated">Simulated: the games on this server are invented.</p>`}
<h1>Grade a slip</h1>
${refusal && html`<p class="refusal" role="alert">${refusal.message} <span class="facts">Request ${refusal.requestId}</span></p>`}
${slipForm(shown)}
${
  graded &&
  html`<div id="followed" data-ticket="${shown.ticket}">${gradedSection(graded, now)}</div>
<p id="following" class="facts" hidden></p>
<p id="news" class="hidden-text" role="status"></p>
${shareSection(shown.text, baseUrl)}
${houseRules(graded)}`
}`,
  });
  return { body, headers: baseUrl.startsWith('https:') ? [...HEADERS, ...SECURE] : HEADERS };
}

/** The part that changes while games run. Its `data-again` tells when to refresh, if anything is pending. */
export function gradedSection(graded: GradedSlip, now: number): Html {
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

/** What is wrong with the text, as a sentence; undefined for other errors. */
export function slipErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'validation_error') return undefined;
  const { errors } = error.extras as { readonly errors: readonly { readonly msg: string }[] };
  return `The slip ${errors[0]!.msg.replace(', those of `legs` counted too', '')}.`;
}

function slipForm({ text, fieldError }: GradingPageView): Html {
  const wrong = fieldError !== undefined;
  // HTML drops the first line break in a textarea, so one is added before the text.
  return html`<form action="/grade" method="get">
<label for="text">Your slip, a leg on each line</label>
<textarea id="text" name="text" rows="6" maxlength="${MAX_TEXT_LENGTH}" required spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="${wrong && 'wrong '}how"${wrong && html` aria-invalid="true"`}>
${text}</textarea>
${wrong && html`<p id="wrong" class="refusal">${fieldError}</p>`}
<p id="how" class="facts">Such as <span class="example">${EXAMPLE.split('\n').join('; ')}</span>. Up to 8 legs. 20 slips in 24 hours, free and without a key.</p>
<button type="submit">Grade it</button>
</form>`;
}

function summaryText({ summary, legs }: GradedSlip): string {
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

const linkTo = (text: string): string => `/grade?${new URLSearchParams({ text })}`;

const shareSection = (text: string, baseUrl: string): Html =>
  html`<section class="sharing" aria-labelledby="share"><h2 id="share">Share it</h2>
<p>This link holds the slip’s text. Whoever opens it sees it graded as it stands then.</p>
<p class="copied"><a id="link" href="${linkTo(text)}">${baseUrl}${linkTo(text)}</a></p></section>`;

const houseRules = ({ honesty }: GradedSlip): Html =>
  html`<details class="rules"><summary>How slips are graded</summary>
<p>${honesty.note}</p>
${Object.entries(honesty.house_rules).map(([sport, rules]) => html`<h3>${sport}</h3>${bulletList(rules)}`)}
<h3>Not graded</h3>${bulletList(honesty.not_graded)}
</details>`;
