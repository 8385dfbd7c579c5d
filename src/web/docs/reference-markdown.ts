import {
  type ApiDocument,
  type ApiOperation,
  listPathOperations,
  type Parameter,
  type PathOperation,
  type Schema,
} from './openapi-types.ts';

/** The API reference as Markdown, made from the OpenAPI document alone. The shapes stand in that document. */
export function referenceMarkdown(document: ApiDocument): string {
  const { info, servers, tags } = document;
  const baseUrl = servers[0]?.url ?? '';
  const operations = listPathOperations(document);
  const groups = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `## ${name}\n\n${own.map(operationPart).join('\n\n')}`;
  });
  return `# ${info.title} API

${info.description}

Version ${info.version}, at ${baseUrl}. Every request needs the header \`Authorization: Bearer KEY\`, KEY being an API key. [The OpenAPI document](/openapi.json) has all schemas, [api.md](/docs/api.md) is a tour, and [the errors](/docs/errors.md) have a page each.

${groups.join('\n\n')}
`;
}

function operationPart({ method, path, operation }: PathOperation): string {
  const { operationId, summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header').map(parameterLine);
  const body = requestBody?.content['application/json']?.schema;
  const parts = [
    `### ${operationId}`,
    `\`${method} ${path}\`. ${summary} ${description}`,
    parameters.length > 0 ? `Parameters:\n\n${parameters.join('\n')}` : '',
    body?.properties ? `Body:\n\n${bodyLines(body).join('\n')}` : '',
    answerLine(operation),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const parameterLine = ({ name, in: location, required, description, schema }: Parameter): string => {
  const where = location === 'path' ? ', in the path' : required === true ? ', required' : '';
  return `- \`${name}\` (${typeText(schema)}${where})${description === undefined ? '' : `: ${description}`}`;
};

const bodyLines = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) =>
    parameterLine({
      name,
      in: 'query',
      schema,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
    }),
  );

function answerLine({ responses }: ApiOperation): string {
  const schemas = Object.entries(responses).flatMap(([status, { content, 'x-error-codes': codes = [] }]) => {
    if (Number(status) >= 300) return codes.map((code) => `\`${code}\``);
    const schema = content?.['application/json']?.schema;
    return [`${status}${schema ? ` with ${typeText(schema)}` : ''}`];
  });
  const [answer = '', ...errors] = schemas;
  return `Answer: ${answer}.${errors.length > 0 ? ` Errors: ${[...new Set(errors)].join(', ')}.` : ''}`;
}

/** A type in words: `array of integer`, `string or null`, the name of a shape. */
function typeText(schema: Schema): string {
  const { $ref, type, format, items, const: only, enum: words } = schema;
  if ($ref !== undefined) return `\`${$ref.split('/').at(-1)}\``;
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  if (choices.length > 0) return choices.map(typeText).join(' or ');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'array') return `array of ${items ? typeText(items) : 'anything'}`;
  const types = typeof type === 'string' ? [type] : (type ?? ['anything']);
  return types.map((one) => (one === 'string' ? (FORMATS[format ?? ''] ?? one) : one)).join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date' };
