import { hash } from 'node:crypto';
import type { Page } from '../http/open-routes.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

interface Asset {
  readonly path: string;
  readonly page: Page;
}

/** Their names tell their content, so that browsers may keep them for ever. */
function asset(name: string, extension: string, type: string, body: string): Asset {
  const path = `/docs/assets/${name}-${hash('sha1', body, 'hex').slice(0, 10)}.${extension}`;
  const headers = ['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff'];
  return { path, page: { status: 200, type, body, headers } };
}

/** What the pages of the documentation load. */
export const ASSETS = {
  style: asset('docs', 'css', 'text/css; charset=utf-8', STYLE),
  script: asset('docs', 'js', 'text/javascript; charset=utf-8', SCRIPT),
} as const;
