import type { Html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, scriptAsset, styleAsset } from '../layout/page-assets.ts';
import { CONTENT_POLICY, sitePage } from '../layout/site-page.ts';
import { GRADING_SCRIPT } from './grading-script.ts';
import { GRADING_STYLE } from './grading-style.ts';

/** What the pages of slips load beside the documentation's style. */
export const GRADING_ASSETS = {
  style: styleAsset('/grade/assets/sheet', GRADING_STYLE),
  script: scriptAsset('/grade/assets/sheet', GRADING_SCRIPT),
} as const;

const HEADERS = [
  ...['Content-Security-Policy', CONTENT_POLICY, 'X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'same-origin'],
  ...['Cache-Control', 'no-store', 'Cross-Origin-Resource-Policy', 'same-origin'],
];
const SECURE = ['Strict-Transport-Security', 'max-age=31536000'];

/** What both pages of slips are told. */
export interface GradingSite {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly isSimulated: boolean;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
}

export interface RenderedGradingPage {
  readonly body: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
}

/** A page about a slip. Search engines list none of them. */
export function gradingDocument(site: GradingSite, title: string, content: Html): RenderedGradingPage {
  const body = sitePage({
    path: '/grade',
    title: `${title} · Ledgerline`,
    description: 'Paste a bet slip and see it graded, leg by leg.',
    pages: site.pages,
    isUnlisted: true,
    styles: [BASE_ASSETS.style.path, GRADING_ASSETS.style.path],
    scripts: [GRADING_ASSETS.script.path],
    skip: 'Skip to the slip',
    className: 'sheet',
    isSimulated: site.isSimulated,
    content,
  });
  return { body, headers: site.baseUrl.startsWith('https:') ? [...HEADERS, ...SECURE] : HEADERS };
}
