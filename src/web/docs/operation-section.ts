import { commandBlock, type Html, html, prose } from '../layout/html.ts';
import { curlExample } from './curl-example.ts';
import type { ApiOperation, ApiResponse, CsvColumn, Parameter, PathOperation, Schema } from './openapi-types.ts';
import { schemaTree, typeName, wordList } from './schema-tree.ts';

/** The text that the search matches. */
export const searchText = ({ method, path, operation }: PathOperation): string =>
  [method, path, operation.operationId, operation.summary, ...operation.tags].join(' ').toLowerCase();

/** The section of one operation. */
export function operationSection(pathOperation: PathOperation, baseUrl: string): Html {
  const { method, path, operation } = pathOperation;
  const { operationId, summary, description, requestBody } = operation;
  // Header parameters are the same for all operations and are explained once at the top of the page.
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header');
  const body = requestBody?.content['application/json']?.schema;
  return html`
<section class="operation" id="${operationId}" aria-labelledby="${operationId}-name" data-search="${searchText(pathOperation)}">
<h3 id="${operationId}-name"><a href="#${operationId}">${prose(summary.replace(/\.$/, ''))}</a></h3>
<p class="where"><span class="method ${method}">${method}</span><code>${path}</code></p>
<p class="price">${prose(description)} <span class="facts">Name: <code>${operationId}</code></span></p>
${commandBlock(curlExample(pathOperation, baseUrl), `Example of ${operationId}`)}
${parameters.length > 0 && html`<h4>Parameters</h4><ul class="parameters">${parameters.map(parameterItem)}</ul>`}
${body && html`<h4>Body</h4><ul class="parameters">${bodyItems(body)}</ul>`}
${successResponses(operation)}
<h4>Errors</h4>
<ul class="failures">${errorResponses(operation)}</ul>
</section>`;
}

function parameterItem({ name, in: location, required, description, schema }: Parameter): Html {
  const where = location === 'path' ? ', in the path' : '';
  return html`<li><code class="name">${name}</code> <span class="type">${typeName(schema)}${where}${
    required === true && location !== 'path' && ', required'
  }</span>${description && html`<span class="text">${prose(description)}</span>`}${schemaFacts(schema)}</li>`;
}

const bodyItems = ({ properties = {}, required = [] }: Schema): Html[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) =>
    parameterItem({
      name,
      in: 'query',
      schema,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
    }),
  );

/** Default, bounds, allowed words and examples. */
function schemaFacts(schema: Schema): Html | false {
  const { default: fallback, minimum, maximum, maxLength, minItems, maxItems, examples = [], enum: words } = schema;
  const facts: Html[] = [];
  if (fallback !== undefined) facts.push(html`Default <code>${String(fallback)}</code>`);
  if (minimum !== undefined && maximum !== undefined) facts.push(html`${minimum} to ${maximum}`);
  if (maxLength !== undefined && words === undefined && schema.format === undefined)
    facts.push(html`At most ${maxLength} characters`);
  if (maxItems !== undefined) facts.push(html`${minItems ?? 0} to ${maxItems} items`);
  if (words) facts.push(html`One of ${wordList(words)}`);
  if (examples.length > 0 && words === undefined) facts.push(html`For example ${wordList(examples)}`);
  return facts.length > 0 && html`<span class="facts">${facts.map((one, index) => [index > 0 && '. ', one])}.</span>`;
}

function successResponses({ responses }: ApiOperation): Html[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([status, response]) => [successPart(status, response), ...csvColumns(response)]);
}

/** The columns of `format=csv`. */
function csvColumns({ content = {} }: ApiResponse): Html[] {
  const columns = content['text/csv']?.['x-columns'];
  if (!columns) return [];
  return [
    html`<details><summary>Columns of <code>format=csv</code></summary><ul class="tree">${columns.map(columnItem)}</ul></details>`,
  ];
}

const columnItem = ({ name, type, description }: CsvColumn): Html =>
  html`<li><code class="name">${name}</code> <span class="type">${type}</span><span class="text">${prose(description)}</span></li>`;

function successPart(status: string, { description, content }: ApiResponse): Html {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined || !media) return html`<p><span class="status">${status}</span> ${description}</p>`;
  if (type === 'text/event-stream')
    return html`<p><span class="status">${status}</span> Server-sent events; see <a href="#streams">Streams</a>.</p>`;
  if (media.schema.$ref !== undefined)
    return html`<p><span class="status">${status}</span> Answers ${typeName(media.schema)}.</p>`;
  return html`<details open><summary><span class="status">${status}</span> Answer</summary>${schemaTree(
    media.schema,
  )}</details>`;
}

const errorResponses = ({ responses }: ApiOperation): Html[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(
      ([status, { 'x-error-codes': codes = [] }]) =>
        html`<li><span class="status">${status}</span><span>${codes.map((code, index) => [
          index > 0 && ', ',
          html`<a href="/docs/errors/${code}"><code>${code}</code></a>`,
        ])}</span></li>`,
    );
