import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';

/**
 * Fails when a body is not what the OpenAPI document says of this method, path and status.
 * @param sent the body of the request: one with `fields`, there or in the path, may get an answer without some members
 */
export type AnswerCheck = (method: string, path: string, status: number, body: unknown, sent?: unknown) => void;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

const checks = new WeakMap<readonly Operation[], Promise<AnswerCheck>>();
/**
 * Made once of all servers of the tests that have these operations: the document tells of nothing else.
 * @param url of one of these servers
 */
export function answerCheck(operations: readonly Operation[], url: string): Promise<AnswerCheck> {
  let check = checks.get(operations);
  if (!check) {
    check = fetch(`${url}/openapi.json`).then(async (response) => compile((await response.json()) as OpenApi));
    checks.set(operations, check);
  }
  return check;
}

function compile(document: OpenApi): AnswerCheck {
  // The document holds more than schemas, and its examples and formats are not assertions of the dialect.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  ajv.addSchema(withoutRequired(document), 'selection');
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    .sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));

  return (method, path, status, body, sent) => {
    const isSelection = status === 200 && selectsFields(path, sent);
    const pathname = path.split('?')[0]!;
    const found = templates.find(({ pattern }) => pattern.test(pathname));
    const described = found && document.paths[found.template]![method.toLowerCase()];
    if (!found || !described) {
      if (status < 400) throw new Error(`${method} ${path} is not in the OpenAPI document`);
      return;
    }
    if (!Object.hasOwn(described.responses, status)) {
      throw new Error(`${method} ${found.template}: status ${status} is not in the OpenAPI document`);
    }
    const steps = ['paths', found.template, method.toLowerCase(), 'responses', String(status)];
    const pointer = [...steps, 'content', 'application/json', 'schema']
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`${isSelection ? 'selection' : 'openapi'}#/${pointer}`);
    if (!validate) throw new Error(`no schema at ${pointer}`);
    if (!validate(body)) {
      const text = ajv.errorsText(validate.errors, { dataVar: 'body' });
      throw new Error(`${method} ${path} (${status}) is not as the OpenAPI document says: ${text}`);
    }
  };
}

const selectsFields = (path: string, sent: unknown): boolean =>
  /[?&]fields=/.test(path) || (typeof sent === 'object' && sent !== null && 'fields' in sent);

/** The same document, where no member of any object must be there. */
function withoutRequired<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutRequired) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => name !== 'required' || !Array.isArray(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRequired(member)])) as Value;
}
