import { SIMULATED_SENTENCE } from '../../domain/primitives/simulated.ts';
import { ICON } from '../layout/docs-layout.ts';
import { type Html, html } from '../layout/html.ts';
import { BASE_ASSETS, styleAsset } from '../layout/page-assets.ts';
import { ACCOUNT_STYLE, USAGE_STYLE } from './account-style.ts';
import type { Flash, PageRequest } from './page-route.ts';

export const ACCOUNT_ASSETS = { style: styleAsset('/site/assets/site', `${ACCOUNT_STYLE}${USAGE_STYLE}`) } as const;

interface AccountPageContent {
  readonly title: string;
  readonly content: Html;
  readonly scripts?: readonly string[] | undefined;
  readonly flash?: Flash | undefined;
  readonly isSimulated: boolean;
}

/** Lays out a page of the browser application. Every page works without scripts. */
export function layOutAccountPage(
  visit: Pick<PageRequest, 'path' | 'session' | 'csrf'>,
  page: AccountPageContent,
): string {
  const { title, content, scripts = [], flash, isSimulated } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Ledgerline</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${BASE_ASSETS.style.path}">
<link rel="stylesheet" href="${ACCOUNT_ASSETS.style.path}">
${scripts.map((path) => html`<script src="${path}" defer></script>`)}
</head>
<body>
<a class="skip-link" href="#content">Skip to the content</a>
<header class="top"><a class="home" href="/">Ledgerline</a> ${navigation(visit)}</header>
<main id="content" class="site" tabindex="-1">
${flash && flashLine(flash)}
${isSimulated && html`<p class="simulated">${SIMULATED_SENTENCE}</p>`}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.html;
}

/** The result of a form, shown once on the next page. */
export const flashLine = ({ kind, text, link }: Flash): Html =>
  html`<p class="flash ${kind}" role="status">${text}${link && html` <a href="${link.to}">${link.text}</a>`}</p>`;

const PAGES = [
  ['/dashboard', 'Dashboard'],
  ['/api-keys', 'API keys'],
  ['/links', 'Links'],
  ['/bets', 'Bets'],
  ['/playground', 'Playground'],
  ['/usage', 'Usage'],
  ['/analytics', 'Analytics'],
  ['/alerts', 'Alerts'],
  ['/billing', 'Billing'],
  ['/account', 'Account'],
] as const;

function navigation({ path, session }: Pick<PageRequest, 'path' | 'session'>): Html {
  const link = (to: string, text: string) => {
    const isHere = path === to || path.startsWith(`${to}/`);
    return html`<a href="${to}"${isHere && html` aria-current="${path === to ? 'page' : 'true'}"`}>${text}</a> `;
  };
  const links = session
    ? [
        ...PAGES,
        ...(session.user.isStaff ? [['/admin', 'Admin'] as const] : []),
        ['/docs', 'Docs'],
        ['/logout', 'Sign out'],
      ]
    : [
        ['/docs', 'Docs'],
        ['/login', 'Sign in'],
        ['/register', 'Register'],
      ];
  return html`<nav aria-label="Site">${links.map(([to, text]) => link(to!, text!))}</nav>`;
}
