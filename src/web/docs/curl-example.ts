import type { PathOperation, Schema } from './openapi-types.ts';

/** A complete `curl` command for an operation with the required inputs only. The key is `$KEY`. */
export function curlExample({ method, path, operation }: PathOperation, baseUrl: string): string {
  const { parameters = [], requestBody, responses } = operation;
  const example = (name: string) =>
    encodeURIComponent(String(exampleOf(parameters.find((one) => one.name === name)?.schema ?? {})));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example(name));
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=${example(name)}`);
  const url = `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const isStream = responses['200']?.content?.['text/event-stream'] !== undefined;
  const schema = requestBody?.content['application/json']?.schema;
  return [
    `curl${isStream ? ' -N' : ''}${method === 'GET' || (method === 'POST' && schema) ? '' : ` -X ${method}`} ${quoted(url)}`,
    '-H "Authorization: Bearer $KEY"',
    ...(schema ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(schema)))}`] : []),
  ].join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The simplest value that fits the schema: required members only. */
function exampleOf(schema: Schema): unknown {
  const { examples, default: fallback, enum: words, type, minimum, items, properties = {}, required = [] } = schema;
  if (examples && examples.length > 0) return examples[0];
  if (fallback !== undefined) return fallback;
  if (words && words.length > 0) return words[0];
  if (type === 'integer' || type === 'number') return Math.max(1, minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'array') return [exampleOf(items ?? {})];
  if (type !== 'object') return 'text';
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
