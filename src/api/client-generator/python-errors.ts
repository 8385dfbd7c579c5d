import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { sharedSchemas } from './client-operations.ts';
import { docstring, PYTHON_BANNER, pascalCase, pythonString, wrapped } from './python-text.ts';

/**
 * A class for each code of an error, from the OpenAPI document.
 * @throws Error if the document does not list the codes
 */
export function pythonErrors(document: JsonSchema): string {
  const meanings = meaningsOf(document);
  const codes = codesOf(document);
  const classes = codes.map((code) => {
    const meaning = meanings.get(code);
    const note = docstring([wrapped(`\`${code}\`${meaning === undefined ? '.' : `: ${meaning}`}`, '    ')], '    ');
    return `class ${pascalCase(code)}(LedgerlineError):\n${note}`;
  });
  const names = codes.map((code) => `    ${pythonString(pascalCase(code))},\n`);
  const entries = codes.map((code) => `    ${pythonString(code)}: ${pascalCase(code)},\n`);
  return `${PYTHON_BANNER}"""A class for each code of an error."""

from __future__ import annotations

from .._ledgerline_error import LedgerlineError

__all__ = [
${names.join('')}]


${classes.join('\n\n')}

BY_CODE: dict[str, type[LedgerlineError]] = {
${entries.join('')}}
`;
}

function codesOf(document: JsonSchema): readonly string[] {
  const { properties } = sharedSchemas(document)['ErrorEnvelope'] as { properties: { error: JsonSchema } };
  const { code } = properties.error['properties'] as { code: { enum?: readonly string[] } };
  if (!code.enum) throw new Error('the error envelope does not list its codes');
  return code.enum;
}

/** What the answers of operations say of their codes: `code`: a sentence. */
function meaningsOf(document: JsonSchema): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>();
  const paths = Object.values(document['paths'] as Readonly<Record<string, object>>);
  const operations = paths.flatMap((methods) => Object.values(methods) as { responses: Record<string, JsonSchema> }[]);
  for (const { responses } of operations) {
    for (const { description } of Object.values(responses)) {
      for (const [, code, meaning] of String(description).matchAll(/^`(\w+)`: (.*)$/gm)) meanings.set(code!, meaning!);
    }
  }
  return meanings;
}
