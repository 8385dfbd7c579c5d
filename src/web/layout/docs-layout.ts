import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { type Html, html } from './html.ts';
import { BASE_ASSETS } from './page-assets.ts';

/** Loads only from this server and allows no inline code, so injected text could do nothing. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = [
  ...['Content-Security-Policy', POLICY, 'X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  // Browsers cache the page, and revalidate it by its ETag.
  ...['Cache-Control', 'no-cache'],
];

export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%231f4d3f'/%3E%3Cpath d='M6 22h6v-6h6v3h4v-9h4' fill='none' stroke='%23f6f3ea' stroke-width='3' stroke-linejoin='round' stroke-linecap='round'/%3E%3C/svg%3E";

interface DocsPageContent {
  readonly title: string;
  readonly description: string;
  /** Beside the text: a table of contents. */
  readonly navigation: Html;
  readonly content: Html;
}

/** A page of the documentation. It loads only a stylesheet and a script from this server. */
export function docsPage({ title, description, navigation, content }: DocsPageContent): PageResponse {
  const { html: body } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${BASE_ASSETS.style.path}">
<script src="${BASE_ASSETS.script.path}" defer></script>
</head>
<body>
<a class="skip-link" href="#content">Skip to the text</a>
<header class="top"><a class="home" href="/">Ledgerline</a> <nav aria-label="Documentation"><a href="/docs">Reference</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a> <a href="/client">Clients</a> <a href="/dashboard">Account</a></nav></header>
<div class="columns">
<nav class="contents" aria-label="Contents">${navigation}</nav>
<main id="content" tabindex="-1">${content}</main>
</div>
</body>
</html>
`;
  return { status: 200, type: 'text/html; charset=utf-8', body, headers: HEADERS };
}
