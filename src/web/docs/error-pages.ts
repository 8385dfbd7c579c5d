import {
  ApiError,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  errorEnvelope,
  errorLinksOf,
  isErrorCode,
  notFound,
} from '../../api/calls/api-errors.ts';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { docsPage } from '../layout/docs-layout.ts';
import { bulletList, codeBlock, dataTable, type Html, html, prose } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { ERROR_TEXTS } from './error-texts.ts';

const REQUEST_ID = '0b8a1c2e-5d4f-4a6b-8c7d-9e0f1a2b3c4d';

/** All codes by status. */
export function errorIndexPage(baseUrl: string, pages?: SitePages): PageResponse {
  const rows = ERROR_CODES.map(
    (code) =>
      html`<tr><td>${ERRORS[code].status}</td><th scope="row"><a href="/docs/errors/${code}"><code>${code}</code></a></th><td>${prose(
        ERRORS[code].means,
      )}</td></tr>`,
  );
  const page = {
    path: '/docs/errors',
    title: 'Errors of the Ledgerline API',
    description: 'Every error code of the API: what it means, and what to do.',
    navigation: navigation(),
    content: html`<h1>Errors</h1>
<p class="lead">Every error has one shape. Go by <code>error.code</code>: messages may change, codes do not.</p>
<p>Failed requests cost no credits. <code>error.request_id</code> is also in the <code>X-Request-Id</code> header and in the server’s log.</p>
${codeBlock(errorExample('not_found', baseUrl), 'Example of an error')}
${dataTable('Errors', ['Status', 'Code', 'Meaning'], rows)}`,
  };
  return docsPage(page, pages);
}

/** An error of a compatibility path, with its own code. */
interface CompatibilityError {
  readonly status: number;
  /** One sentence; backticks mark code. */
  readonly means: string;
}
/** By code in lower case, as in addresses. */
export type CompatibilityErrors = ReadonlyMap<string, CompatibilityError>;

/**
 * The page that an error's `doc_url` links to.
 * @throws ApiError not_found for an unknown code
 */
export function errorPage(
  code: string,
  baseUrl: string,
  foreign: CompatibilityErrors = new Map(),
  pages?: SitePages,
): PageResponse {
  const other = foreign.get(code);
  if (other && !isErrorCode(code)) return compatibilityErrorPage(code.toUpperCase(), other, pages);
  if (!isErrorCode(code)) throw notFound(`There is no error code ${JSON.stringify(code.slice(0, 100))}.`);
  const { status, means } = ERRORS[code];
  const { causes, remedies, extras = {} } = ERROR_TEXTS[code];
  const members = [
    ...Object.entries(extras).map(([name, { holds }]) => member(name, holds)),
    ...errorLinksOf(code).map((name) => member(name, 'Where to go on, an address under the server’s own.')),
  ];
  const page = {
    path: `/docs/errors/${code}`,
    title: `${code}: an error of the Ledgerline API`,
    description: means,
    navigation: navigation(code),
    content: html`<h1>${code}</h1>
<p class="lead">${prose(means)}</p>
<p>HTTP status ${status}. It costs no credits.</p>
<h2>When it comes</h2>
${bulletList(causes.map(prose))}
<h2>What to do</h2>
${bulletList(remedies.map(prose))}
<h2>What it looks like</h2>
${members.length > 0 && html`<p>Beside the members of every error it has:</p>${bulletList(members)}`}
${codeBlock(errorExample(code, baseUrl), 'Example')}`,
  };
  return docsPage(page, pages);
}

function compatibilityErrorPage(code: string, { status, means }: CompatibilityError, pages?: SitePages): PageResponse {
  const page = {
    path: `/docs/errors/${code.toLowerCase()}`,
    title: `${code}: an error of the paths for other programs`,
    description: means,
    navigation: navigation(),
    content: html`<h1>${code}</h1>
<p class="lead">${prose(means)}</p>
<p>HTTP status ${status}, as <code>error_code</code>. It costs no credits.</p>`,
  };
  return docsPage(page, pages);
}

const member = (name: string, holds: string): Html => html`<code>${name}</code>: ${prose(holds)}`;

/** The body of such an error. */
export function errorExample(code: ErrorCode, baseUrl: string): string {
  const { message, extras = {} } = ERROR_TEXTS[code];
  const values = Object.fromEntries(Object.entries(extras).map(([name, one]) => [name, one.example]));
  // The table ensures that the members fit the code, but the compiler cannot see it here.
  const error = new ApiError(code, message, values as never);
  return JSON.stringify(errorEnvelope(error, baseUrl, REQUEST_ID), null, 2);
}

const navigation = (current?: ErrorCode): Html =>
  html`<details open><summary>Errors</summary><ul>${ERROR_CODES.map(
    (code) =>
      html`<li><a href="/docs/errors/${code}"${code === current && html` aria-current="page"`}><span class="status">${
        ERRORS[code].status
      }</span>${code}</a></li>`,
  )}</ul></details>`;
