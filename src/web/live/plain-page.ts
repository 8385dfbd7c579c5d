import type { Page } from '../../api/http/open-routes.ts';

/** What stands at `/` where there is no live page. */
export const plainPage = (hasSheet: boolean): Page => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  headers: [
    ...['Cache-Control', 'no-cache', 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  ],
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ledgerline</title>
</head>
<body>
<h1>Ledgerline</h1>
<p>A sports-intelligence server. Every answer is a fold of an event log.</p>
<ul>
${hasSheet ? '<li><a href="/grade">Grade a slip</a></li>\n' : ''}<li><a href="/record">The forecasts’ record</a></li>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/dashboard">Your account</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
</body>
</html>
`,
});
