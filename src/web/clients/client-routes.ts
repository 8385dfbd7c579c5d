import type { Router } from 'express';
import { notFound } from '../../api/calls/api-errors.ts';
import { BUNDLE_NAME } from '../../api/client-packages/mcp-bundle.ts';
import { REGISTRY_ENTRY_NAME, registryEntry } from '../../api/client-packages/registry-entry.ts';
import {
  createPublicPageRoute,
  type FileResponse,
  jsonPage,
  type PageResponse,
  type PageWrapper,
} from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute } from '../../api/http/routed-request.ts';
import { cacheByUrl } from '../layout/cache-by-url.ts';
import type { SitePages } from '../layout/navigation.ts';
import { readClientFiles } from './client-files.ts';
import { clientPage } from './client-page.ts';

interface ClientParts {
  readonly responder: Responder;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** The program's version. */
  readonly version: string;
  /** Folder with the packages. */
  readonly files: string;
  /** Adds the reader's flash message to the page. */
  readonly withFlash: PageWrapper;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages;
}

const REVALIDATED = ['Cache-Control', 'no-cache'];

/** The clients that the server hands out, and the page that says how to install them. They need no key. */
export function clientRoutes(parts: ClientParts): (router: Router) => void {
  const { responder, baseUrl, version, files, withFlash, pages } = parts;
  const packages = readClientFiles(files);
  const page = createPublicPageRoute(
    responder,
    withFlash(() => clientPage(packages, version, baseUrl(), pages)),
  );
  // They name the server's own address.
  const bundle = packages.bundleFor && cacheByUrl(packages.bundleFor);
  const entry = cacheByUrl((url) => jsonPage(200, registryEntry(version, url), REVALIDATED));
  const file = createPublicPageRoute<PageResponse | FileResponse>(responder, ({ params }) => {
    const name = params['file']!;
    if (name === REGISTRY_ENTRY_NAME) return entry(baseUrl());
    const found = name === BUNDLE_NAME ? bundle?.(baseUrl()) : packages.files.get(name);
    if (found) return found;
    throw notFound(
      `There is no package ${JSON.stringify(name.slice(0, 100))}; ${baseUrl()}/client has those there are.`,
    );
  });
  return (router) => {
    addRoute(router, '/client', page);
    addRoute(router, '/client/:file', file);
  };
}
