import { type Html, html, prose } from '../layout/html.ts';
import type { Schema } from './openapi-types.ts';

/** The members of an object with their types, and nested members below them. */
export function schemaTree(schema: Schema): Html {
  const holder = memberHolder(schema);
  if (holder?.properties) return members(holder);
  return html`<p>${typeName(schema)}${typeof holder?.additionalProperties === 'object' && nestedMembers(schema)}</p>`;
}

const members = ({ properties = {}, required = [] }: Schema): Html =>
  html`<ul class="tree">${Object.entries(properties).map(
    ([name, member]) =>
      html`<li><code class="name">${name}</code> <span class="type">${typeName(member)}</span>${
        !required.includes(name) && html` <span class="note">may be absent</span>`
      }${member.description && html`<span class="text">${prose(member.description)}</span>`}${values(member)}${nestedMembers(member)}</li>`,
  )}</ul>`;

/** The members inside a member. References become links, so that each shape is on the page once. */
function nestedMembers(schema: Schema): Html | false {
  const holder = memberHolder(schema);
  if (holder?.properties) return members(holder);
  const { additionalProperties } = holder ?? {};
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return false;
  return html`<ul class="tree"><li><span class="name">any name</span> <span class="type">${typeName(
    additionalProperties,
  )}</span>${nestedMembers(additionalProperties)}</li></ul>`;
}

/** The schema whose members are shown: the object itself, that of the items, or that of a nullable choice. */
function memberHolder(schema: Schema): Schema | undefined {
  if (schema.properties || typeof schema.additionalProperties === 'object') return schema;
  if (schema.items) return memberHolder(schema.items);
  for (const choice of choices(schema)) {
    const holder = memberHolder(choice);
    if (holder) return holder;
  }
  return undefined;
}

const choices = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** A type in words: `array of integer`, `string or null`, with a link for a named shape. */
export function typeName(schema: Schema): Html {
  const { $ref, type, format, items, const: only } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const several = choices(schema);
  if (several.length > 0) return joinWithOr(several.map(typeName));
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (type === 'array') return html`array of ${items ? typeName(items) : 'anything'}`;
  const types = typeof type === 'string' ? [type] : (type ?? ['anything']);
  return joinWithOr(types.map((one) => html`${FORMATS[one === 'string' ? (format ?? '') : ''] ?? one}`));
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date' };

const joinWithOr = (parts: readonly Html[]): Html => html`${parts.map((part, index) => [index > 0 && ' or ', part])}`;

/** The allowed values of a member, if they are limited. */
function values(schema: Schema): Html | false {
  const words = schema.enum ?? choices(schema).find((choice) => choice.enum)?.enum;
  return words !== undefined && html`<span class="facts">One of ${wordList(words)}</span>`;
}

export const wordList = (words: readonly unknown[]): Html =>
  html`${words.map((word, index) => [index > 0 && ', ', html`<code>${String(word)}</code>`])}`;
