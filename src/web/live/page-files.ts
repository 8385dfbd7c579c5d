import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';

/** The built page: `index.html`, and `assets/` with file names made from their content. */
export interface PageFiles {
  readonly index: PageResponse;
  readonly assets: ReadonlyMap<string, PageResponse>;
}

/** The build puts the page beside the server's own files. A server that runs from its sources has no page. */
export const BUILT_PAGE = fileURLToPath(new URL('./web', import.meta.url));

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'];
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Undefined if the folder holds no page. The files are few and small, so they are kept in memory. */
export function readPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const headers = ['Cache-Control', 'public, max-age=31536000, immutable', ...NO_SNIFFING];
    return [[name, { status: 200, type, body: read('assets', name), headers }] as const];
  });
  const headers = [
    ...['Cache-Control', 'no-cache', 'Content-Security-Policy', POLICY, 'Referrer-Policy', 'no-referrer'],
    ...NO_SNIFFING,
  ];
  return {
    index: { status: 200, type: 'text/html; charset=utf-8', body: read('index.html'), headers },
    assets: new Map(assets),
  };
}

/** The page at `/` if there is no live page. */
export const plainPage = (hasSheet: boolean): PageResponse => ({
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
