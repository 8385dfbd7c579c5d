import { hash } from 'node:crypto';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { BASE_STYLE } from './base-style.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { SEARCH_SCRIPT } from './search-script.ts';
import { SITE_SCRIPT, THEME_SCRIPT } from './site-script.ts';
import { SITE_STYLE } from './site-style.ts';

export interface Asset {
  readonly path: string;
  readonly page: PageResponse;
}

/**
 * The file name contains a hash of the content, so browsers may cache the file for ever.
 * @param name path without the extension
 */
function createAsset(name: string, extension: string, type: string, body: string): Asset {
  const path = `${name}-${hash('sha1', body, 'hex').slice(0, 10)}.${extension}`;
  const headers = ['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff'];
  return { path, page: { status: 200, type, body, headers } };
}

export const styleAsset = (name: string, style: string): Asset =>
  createAsset(name, 'css', 'text/css; charset=utf-8', style);
export const scriptAsset = (name: string, script: string): Asset =>
  createAsset(name, 'js', 'text/javascript; charset=utf-8', script);

/** What every page loads. */
export const SITE_ASSETS = {
  style: styleAsset('/site/assets/layout', SITE_STYLE),
  theme: scriptAsset('/site/assets/theme', THEME_SCRIPT),
  script: scriptAsset('/site/assets/layout', SITE_SCRIPT + SEARCH_SCRIPT),
} as const;

/** What the pages that the server draws load beside it: the style of text, forms and tables, and the documentation's script. */
export const BASE_ASSETS = {
  style: styleAsset('/docs/assets/docs', BASE_STYLE),
  script: scriptAsset('/docs/assets/docs', DOCS_SCRIPT),
} as const;
