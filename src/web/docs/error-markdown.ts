import {
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  errorLinksOf,
  isErrorCode,
  notFound,
} from '../../api/calls/api-errors.ts';
import type { CompatibilityErrors } from './error-pages.ts';
import { errorExample } from './error-pages.ts';
import { ERROR_TEXTS } from './error-texts.ts';

/** The list of all codes, as Markdown. */
export const errorIndexMarkdown = (): string => `# Errors

Every error has one shape. Go by \`error.code\`: messages may change, codes do not. Failed requests cost no credits.

| status | code | meaning |
|---|---|---|
${ERROR_CODES.map((code) => `| ${ERRORS[code].status} | [\`${code}\`](/docs/errors/${code}.md) | ${ERRORS[code].means} |`).join('\n')}
`;

/** The page of an error, as Markdown. @throws ApiError not_found for an unknown code */
export function errorMarkdown(code: string, baseUrl: string, foreign: CompatibilityErrors = new Map()): string {
  const other = foreign.get(code);
  if (other && !isErrorCode(code)) {
    return `# ${code.toUpperCase()}\n\n${other.means}\n\nHTTP status ${other.status}, as \`error_code\`. It costs no credits.\n`;
  }
  if (!isErrorCode(code)) throw notFound(`There is no error code ${JSON.stringify(code.slice(0, 100))}.`);
  const { status, means } = ERRORS[code];
  const { causes, remedies } = ERROR_TEXTS[code];
  return `# ${code}

${means}

HTTP status ${status}. It costs no credits.

## When it comes

${list(causes)}

## What to do

${list(remedies)}

## What it looks like
${membersOf(code)}
\`\`\`json
${errorExample(code, baseUrl)}
\`\`\`
`;
}

function membersOf(code: ErrorCode): string {
  const { extras = {} } = ERROR_TEXTS[code];
  const members = [
    ...Object.entries(extras).map(([name, { holds }]) => `\`${name}\`: ${holds}`),
    ...errorLinksOf(code).map((name) => `\`${name}\`: where to go on, an address under the server's own.`),
  ];
  return members.length > 0 ? `\nBeside the members of every error it has:\n\n${list(members)}\n` : '';
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
