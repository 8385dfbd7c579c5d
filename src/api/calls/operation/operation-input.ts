import type { z } from 'zod';
import { safeParse } from '../../../domain/primitives/safe-parse.ts';
import { ApiError, type FieldError } from '../api-errors.ts';
import type { Operation } from './operation.ts';
import { jsonSchemaOf } from './zod-json-schema.ts';

type Part = 'path' | 'query' | 'body';
const PARTS = ['path', 'query', 'body'] as const;

/** The parts of an input before validation. */
interface RawInput {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The parts as one object, or at least one error. */
export type InputResult =
  | { readonly input: any; readonly errors?: undefined }
  | { readonly input?: undefined; readonly errors: readonly FieldError[] };

/** Reads the inputs of one operation. Created once for each operation, since reading schemas is slow. */
export interface InputReader {
  /** Reads an HTTP request: path parameters and query are text, the body is JSON. @throws ApiError validation_error */
  fromHttp(path: Readonly<Record<string, string | undefined>>, search: string, body: unknown): any;
  /**
   * Reads one object of typed values, from MCP and the cost estimate. `loc` of an error is that of the HTTP request.
   */
  fromArguments(values: unknown): InputResult;
}

/** The JSON Schema of each parameter, by name. */
export function parametersOf(schema: z.ZodType | undefined): Readonly<Record<string, Record<string, unknown>>> {
  if (!schema) return {};
  return (jsonSchemaOf(schema, 'input')['properties'] ?? {}) as Record<string, Record<string, unknown>>;
}

/** @throws Error if two parts of the operation have a member of one name */
export function createInputReader({ input }: Pick<Operation, 'input'>): InputReader {
  checkNamesDistinct(input);
  const pathTypes = typesOf(input.path);
  const queryTypes = typesOf(input.query);
  const movedTypes: Types = new Map((input.bodyInQuery ?? []).map((name) => [name, 'string']));
  // Most requests have no query: read its defaults once.
  const noQuery = input.query?.safeParse({});

  const read = (raw: RawInput, problems: FieldError[] = []): InputResult => {
    const values: unknown[] = [];
    for (const part of PARTS) {
      const schema = input[part];
      if (!schema) continue;
      const empty = part === 'query' && raw.query === undefined;
      const mode = hasLongList(raw[part]) ? 'to the first issue' : 'whole';
      const result = empty ? noQuery! : safeParse(schema, empty ? {} : raw[part], mode);
      if (!result) problems.push({ loc: [part], msg: 'is malformed', type: 'invalid_type' });
      else if (result.success) values.push(result.data);
      else problems.push(...fieldErrors(part, raw[part] ?? {}, result.error, problems));
    }
    return problems.length > 0 ? { errors: problems } : { input: Object.assign({}, ...values) };
  };

  /** What is wrong with members in the query that the body has too: they count for nothing, but each must be known. */
  function problemsOf(body: unknown, named: Record<string, unknown>, moved: Record<string, unknown>): FieldError[] {
    const others = Object.fromEntries(Object.entries(named).filter(([name]) => !Object.hasOwn(moved, name)));
    if (Object.keys(others).length === 0) return [];
    const { errors = [] } = read({ body: withMembers(body, others) });
    return errors.filter(({ loc }) => Object.hasOwn(others, String(loc[1]))).map((error) => atItsPlace(error, others));
  }

  return {
    fromHttp(path, search, body) {
      const problems: FieldError[] = [];
      const query = search === '' || !input.query ? undefined : readQuery(search, queryTypes, problems);
      const named = search === '' ? {} : readQuery(search, movedTypes, problems);
      const moved = missingIn(body, named);
      problems.push(...problemsOf(body, named, moved));
      const { input: values, errors } = read(
        {
          path: input.path && readPath(path, pathTypes),
          query,
          body: withMembers(body === undefined ? {} : body, moved),
        },
        problems,
      );
      if (errors) throw validationError(errors.map((error) => atItsPlace(error, moved)));
      return values;
    },
    fromArguments(values) {
      if (typeof values !== 'object' || values === null || Array.isArray(values)) {
        return { errors: [{ loc: ['body'], msg: 'must be an object', type: 'invalid_type' }] };
      }
      return read({ path: pickParameters(pathTypes, values), query: pickParameters(queryTypes, values), body: values });
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters that the body does not have itself. */
const missingIn = (body: unknown, parameters: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !isObject(body) || (body[name] ?? null) === null));

const withMembers = (body: unknown, members: Record<string, unknown>): unknown =>
  isObject(body) ? { ...body, ...members } : body;

/** An error of a member of the body that stood in the query. */
function atItsPlace(error: FieldError, moved: Record<string, unknown>): FieldError {
  const [part, name] = error.loc;
  return part === 'body' && Object.hasOwn(moved, String(name))
    ? { ...error, loc: ['query', ...error.loc.slice(1)] }
    : error;
}

/** @returns the error of status 422; its message names the first field */
export function validationError(errors: readonly FieldError[]): ApiError {
  const { loc, msg } = errors[0]!;
  const where = loc.length > 1 ? loc.slice(1).join('.') : loc[0];
  return new ApiError('validation_error', `${where}: ${msg}`, { errors });
}

type Types = ReadonlyMap<string, string>;

const typesOf = (schema: z.ZodType | undefined): Types =>
  new Map(Object.entries(parametersOf(schema)).map(([name, json]) => [name, isList(json) ? LIST : String(json.type)]));

/** One integer or an array of them: a URL has a comma list. */
const LIST = 'integers';

/** Whether a parameter takes an array. */
export const isList = ({ anyOf }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(anyOf) && anyOf.some(({ type }: { readonly type?: unknown }) => type === 'array');

function readPath(params: Readonly<Record<string, string | undefined>>, types: Types): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of types) values[name] = coerce(params[name] ?? '', type);
  return values;
}

/** Ignores unknown parameters; a repeated one is an error. */
function readQuery(search: string, types: Types, problems: FieldError[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(search)) {
    const type = types.get(name);
    if (type === undefined) continue;
    if (Object.hasOwn(values, name)) repeated.add(name);
    values[name] = coerce(value, type);
  }
  for (const name of repeated) {
    problems.push({ loc: ['query', name], msg: 'must not be given more than once', type: 'repeated' });
  }
  return values;
}

const INTEGER = /^-?\d+$/;
/** JSON syntax, with an exponent: clients write small numbers so. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The value of a text. A text that does not fit the type stays text, and the schema refuses it. */
function coerce(value: string, type: string): unknown {
  if (type === 'integer') return INTEGER.test(value) ? Number(value) : value;
  if (type === LIST) return itemsOf(value).map((item) => coerce(item, 'integer'));
  if (type === 'number') return NUMBER.test(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

const itemsOf = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The parameters among these values. Null means absent, since a URL cannot express null. */
function pickParameters(types: Types, given: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of types.keys()) {
    const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : null;
    if (value !== null) values[name] = value;
  }
  return values;
}

const MAX_PROBLEMS = 100;
/** No input accepts a list of this length, so its validation may stop at the first error. */
const LONG_LIST = 2000;

const hasLongList = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((member) => Array.isArray(member) && member.length > LONG_LIST);

function fieldErrors(part: Part, raw: unknown, error: z.ZodError, before: readonly FieldError[]): FieldError[] {
  const known = new Set(before.map((problem) => problem.loc.join('.')));
  return issueErrors([part], raw, error.issues).filter(({ loc }) => !known.has(loc.join('.')));
}

/** The issues of a schema as errors of fields. @param place where the value stands @param raw the value, before validation */
export const issueErrors = (
  place: FieldError['loc'],
  raw: unknown,
  issues: readonly z.core.$ZodIssue[],
): FieldError[] =>
  issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    const loc = [...place, ...path];
    const missing = path.length > 0 && valueAt(raw, path) === undefined;
    return missing ? { loc, msg: 'is required', type: 'missing' } : { loc, msg: issue.message, type: issue.code };
  });

function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

interface MemberSchema {
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly additionalProperties?: boolean | MemberSchema;
  readonly anyOf?: readonly MemberSchema[];
  readonly oneOf?: readonly MemberSchema[];
  readonly allOf?: readonly MemberSchema[];
}

/** Names of the members that an object of a schema may have. */
interface PossibleMembers {
  readonly names: ReadonlySet<string>;
  /** The schema accepts other members too. */
  readonly isOpen: boolean;
}

/**
 * The parts of an input become one object. If two parts had a member of one name, one value would be lost, and an id in
 * the body could replace the id in the path.
 * @throws Error that names the member
 */
function checkNamesDistinct(input: Operation['input']): void {
  const before = new Map<string, string>();
  let openPart: string | undefined;
  for (const part of ['path', 'query', 'body'] as const) {
    const schema = input[part];
    if (!schema) continue;
    const { names, isOpen } = possibleMembersOf(jsonSchemaOf(schema, 'input') as MemberSchema);
    for (const name of names) {
      const other = before.get(name) ?? openPart;
      if (other !== undefined) throw new Error(`${name} can stand in the ${other} and in the ${part} of one input`);
      before.set(name, part);
    }
    if (!isOpen) continue;
    const [shared] = [...before].filter(([, other]) => other !== part);
    if (shared)
      throw new Error(`${shared[0]} of the ${shared[1]} can stand in the ${part} too, which takes any member`);
    openPart = part;
  }
}

function possibleMembersOf({
  properties = {},
  additionalProperties,
  anyOf,
  oneOf,
  allOf,
}: MemberSchema): PossibleMembers {
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].map(possibleMembersOf);
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return {
    names: new Set([...Object.keys(properties), ...inner.flatMap(({ names }) => [...names])]),
    isOpen: isOpen || inner.some((one) => one.isOpen),
  };
}
