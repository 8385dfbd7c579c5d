import type { Router } from 'express';
import { notFound } from '../../api/calls/api-errors.ts';
import { createPublicPageRoute, type PageWrapper } from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute } from '../../api/http/routed-request.ts';
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
}

/** The clients that the server hands out, and the page that says how to install them. They need no key. */
export function clientRoutes({ responder, baseUrl, version, files, withFlash }: ClientParts): (router: Router) => void {
  const packages = readClientFiles(files);
  const page = createPublicPageRoute(
    responder,
    withFlash(() => clientPage(packages, version, baseUrl())),
  );
  const file = createPublicPageRoute(responder, ({ params }) => {
    const name = params['file']!;
    const found = packages.files.get(name);
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
