import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { docsPage } from '../layout/docs-layout.ts';
import { type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { introductionChapters } from './introduction-chapters.ts';
import { type ApiDocument, listPathOperations, type PathOperation } from './openapi-types.ts';
import { operationSection, searchText } from './operation-section.ts';
import { schemaTree } from './schema-tree.ts';

/** The API reference, made from the OpenAPI document alone. */
export function referencePage(document: ApiDocument, pages?: SitePages): PageResponse {
  const { info, servers, tags, components } = document;
  const baseUrl = servers[0]?.url ?? '';
  const operations = listPathOperations(document);
  const groups = tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const about = introductionChapters(document);
  const schemas = Object.entries(components.schemas);
  const page = {
    path: '/docs',
    title: `${info.title} API reference`,
    description: info.description,
    navigation: html`<div class="search" hidden><label for="search">Find an operation <kbd>/</kbd></label><input id="search" type="search" autocomplete="off" spellcheck="false"><output for="search"></output></div>
<details open><summary>Contents</summary>
<div data-rest><h2>About the API</h2>${links(about.map(({ id, name }) => [id, name]))}</div>
${groups.map(({ name, operations: own }) => html`<div data-group><h2>${name}</h2><ul>${own.map(contentsItem)}</ul></div>`)}
<div data-rest><h2>Shapes</h2>${links(schemas.map(([name]) => [`schema-${name}`, name]))}</div>
</details>`,
    content: html`<h1>${info.title} API</h1>
<div data-rest><p class="lead">${info.description}</p>
<p>Version ${info.version}, at <code>${baseUrl}</code>. This page is made from <a href="/openapi.json">the OpenAPI document</a>.</p>
${about.map(({ id, name, text }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${text}</section>`)}</div>
${groups.map(
  ({ name, operations: own }) =>
    html`<section data-group aria-labelledby="${anchor(name)}"><h2 id="${anchor(name)}">${name}</h2>${own.map((one) =>
      operationSection(one, baseUrl),
    )}</section>`,
)}
<section data-rest aria-labelledby="shapes"><h2 id="shapes">Shapes</h2>
${schemas.map(([name, schema]) => html`<h3 id="schema-${name}">${name}</h3>${schemaTree(schema)}`)}</section>`,
  };
  return docsPage(page, pages);
}

const contentsItem = (pathOperation: PathOperation): Html =>
  html`<li data-search="${searchText(pathOperation)}"><a href="#${pathOperation.operation.operationId}"><span class="method ${
    pathOperation.method
  }">${pathOperation.method}</span>${pathOperation.path}</a></li>`;

const links = (items: readonly (readonly [id: string, name: string])[]): Html =>
  html`<ul>${items.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>`;

const anchor = (name: string): string => `tag-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
