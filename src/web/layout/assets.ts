import { hash } from 'node:crypto';
import type { Page } from '../../api/http/open-routes.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface Asset {
  readonly path: string;
  readonly page: Page;
}

/**
 * Their names tell their content, so that browsers may keep them for ever.
 * @param name path without the extension
 */
function asset(name: string, extension: string, type: string, body: string): Asset {
  const path = `${name}-${hash('sha1', body, 'hex').slice(0, 10)}.${extension}`;
  const headers = ['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff'];
  return { path, page: { status: 200, type, body, headers } };
}

export const styleAsset = (name: string, style: string): Asset => asset(name, 'css', 'text/css; charset=utf-8', style);
export const scriptAsset = (name: string, script: string): Asset =>
  asset(name, 'js', 'text/javascript; charset=utf-8', script);

/** What the pages of the documentation load. */
export const ASSETS = {
  style: styleAsset('/docs/assets/docs', STYLE),
  script: scriptAsset('/docs/assets/docs', SCRIPT),
} as const;
