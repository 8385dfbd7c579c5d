import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { sharedTypeName } from './client-operations.ts';
import {
  docstring,
  isPythonName,
  PYTHON_BANNER,
  pascalCase,
  pythonLiteral,
  pythonString,
  wrapped,
} from './python-text.ts';

/** What a value of the schema is for: what is sent may be a time of Python's own, and any sequence. */
type Side = 'given' | 'answered';

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const TIMES: Readonly<Record<string, string>> = { 'date-time': 'dt.datetime', date: 'dt.date' };

/** Translates JSON Schemas to the types of Python. Objects become `TypedDict` classes, which are collected. */
export class PythonTypes {
  readonly #classes = new Map<string, string>();

  /** Defines a type of this name. @throws Error if there is one already */
  define(name: string, schema: JsonSchema): void {
    if (isRecord(schema)) {
      this.#addClass(name, schema, 'answered');
      return;
    }
    const note = schema['description'] === undefined ? '' : docstring([wrapped(String(schema['description']), '')], '');
    const alias = pythonString(this.#expression(schema, `${name}Value`, 'answered'));
    this.#add(name, `${name}: TypeAlias = ${alias}\n${note}`);
  }

  /** The type of a member of an answer. @param name of the class, if it takes one */
  answered = (schema: JsonSchema, name: string): string => this.#expression(schema, name, 'answered');

  /** The type of an argument. */
  given = (schema: JsonSchema, name: string): string => this.#expression(schema, name, 'given');

  /** Names of all classes, in the order of their definition. */
  names = (): readonly string[] => [...this.#classes.keys()];

  /** The module with all of them. */
  module(): string {
    const text = [...this.#classes.values()].map((one) => `\n${one}`).join('\n');
    const all = this.names().map((name) => `    ${pythonString(name)},\n`);
    return `${PYTHON_BANNER}"""What goes into the methods of the client, and what comes out of them."""

from __future__ import annotations

${text.includes('dt.') ? 'import datetime as dt\n' : ''}${text.includes('abc.') ? 'from collections import abc\n' : ''}from typing import Any, Literal, TypeAlias, TypedDict

__all__ = [
${all.join('')}]

${text}`;
  }

  #expression(schema: JsonSchema, name: string, side: Side): string {
    const { $ref, anyOf, type, items, format, additionalProperties } = schema;
    if (typeof $ref === 'string') return sharedTypeName($ref);
    if (Array.isArray(anyOf)) return this.#union(anyOf, name, side);
    if ('const' in schema) return `Literal[${pythonLiteral(schema['const'])}]`;
    if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(pythonLiteral).join(', ')}]`;
    if (Array.isArray(type))
      return this.#union(
        type.map((one) => ({ type: one })),
        name,
        side,
      );
    if (type === 'array') {
      const item = this.#expression((items ?? {}) as JsonSchema, `${name}Item`, side);
      return side === 'given' ? `abc.Sequence[${item}]` : `list[${item}]`;
    }
    if (isRecord(schema)) {
      this.#addClass(name, schema, side);
      return name;
    }
    if (type === 'object') {
      const isOpen = typeof additionalProperties !== 'object' || additionalProperties === null;
      const value = isOpen ? 'Any' : this.#expression(additionalProperties as JsonSchema, `${name}Value`, side);
      return `${side === 'given' ? 'abc.Mapping' : 'dict'}[str, ${value}]`;
    }
    if (typeof type !== 'string') return 'Any';
    const time = side === 'given' && typeof format === 'string' ? TIMES[format] : undefined;
    return time ? `str | ${time}` : SCALARS[type]!;
  }

  #union(schemas: readonly JsonSchema[], name: string, side: Side): string {
    const records = schemas.filter(isRecord).length;
    let at = 0;
    const parts = schemas.map((schema) => {
      const own = isRecord(schema) && records > 1 ? `${name}${++at}` : name;
      return this.#expression(schema, own, side);
    });
    return [...new Set(parts.flatMap((part) => part.split(' | ')))].sort((a, b) => isNone(a) - isNone(b)).join(' | ');
  }

  #addClass(name: string, schema: JsonSchema, side: Side): void {
    const {
      properties,
      required = [],
      description,
    } = schema as {
      properties: Readonly<Record<string, JsonSchema>>;
      required?: readonly string[];
      description?: string;
    };
    // Before its members, so that a class stands before those that it names.
    this.#add(name, '');
    const members = Object.entries(properties).map(([member, of]) => {
      const text = this.#expression(of, name + pascalCase(member), side);
      return { member, text, about: of['description'] as string | undefined, must: required.includes(member) };
    });
    const note = description === undefined ? '' : docstring([wrapped(description, '    ')], '    ');
    this.#classes.set(name, dictionary(name, note, members));
  }

  #add(name: string, text: string): void {
    if (this.#classes.has(name)) throw new Error(`${name} would be defined twice`);
    this.#classes.set(name, text);
  }
}

interface Member {
  readonly member: string;
  readonly text: string;
  readonly about: string | undefined;
  /** It is always there. */
  readonly must: boolean;
}

/**
 * The class of a dictionary with these members. Python 3.10 has no `NotRequired`, so what may be absent stands in a base
 * class; and what is a word of the language stands in one that is made by a call.
 */
function dictionary(name: string, note: string, members: readonly Member[]): string {
  const parts: string[] = [];
  const bases: string[] = [];
  const words = members.filter(({ member }) => !isPythonName(member));
  for (const [suffix, must, total] of [
    ['Words', true, ''],
    ['OptionalWords', false, ', total=False'],
  ] as const) {
    const own = words.filter((one) => one.must === must);
    if (own.length === 0) continue;
    const entries = own.map(({ member, text }) => `${pythonString(member)}: ${pythonString(text)}`);
    bases.push(`_${name}${suffix}`);
    parts.push(`_${name}${suffix} = TypedDict("_${name}${suffix}", {${entries.join(', ')}}${total})\n`);
  }
  const named = members.filter(({ member }) => isPythonName(member));
  const may = named.filter((one) => !one.must);
  if (may.length > 0) {
    bases.push(`_${name}Optional`);
    parts.push(`class _${name}Optional(TypedDict, total=False):\n${may.map(memberText).join('')}`);
  }
  const body =
    note +
    named
      .filter((one) => one.must)
      .map(memberText)
      .join('');
  const heritage = bases.length === 0 ? 'TypedDict' : bases.join(', ');
  return [...parts, `class ${name}(${heritage}):\n${body === '' ? '    pass\n' : body}`].join('\n\n');
}

function memberText({ member, text, about }: Member): string {
  const told = about === undefined ? '' : docstring([wrapped(about, '    ')], '    ');
  return `    ${member}: ${text}\n${told}`;
}

const isNone = (part: string): number => (part === 'None' ? 1 : 0);

/** An object with named members; one without is a dictionary. */
function isRecord(schema: JsonSchema): boolean {
  const { type, properties, additionalProperties } = schema;
  if (type !== 'object' || typeof properties !== 'object' || properties === null) return false;
  return Object.keys(properties).length > 0 || additionalProperties === false;
}
