import { FIELDS_PARAMETER } from '../calls/operation/answer-fields.ts';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import type { ClientOperation } from './client-operations.ts';
import {
  docstring,
  PYTHON_BANNER,
  pascalCase,
  pythonLiteral,
  pythonName,
  pythonString,
  wrapped,
} from './python-text.ts';
import type { PythonTypes } from './python-types.ts';

interface Stream {
  readonly name: string;
  /** Type of what it tells. */
  readonly item: string;
}

/** What differs between the two clients. */
interface Flavour {
  readonly prefix: string;
  readonly def: string;
  readonly await: string;
  readonly generator: (item: string) => string;
  readonly awaitable: (value: string) => string;
  readonly about: string;
}

const SYNC: Flavour = {
  prefix: '',
  def: 'def',
  await: '',
  generator: (item) => `abc.Generator[${item}, None, None]`,
  awaitable: (value) => value,
  about: 'The operations as methods that return when the answer is there.',
};
const ASYNC: Flavour = {
  prefix: 'Async',
  def: 'async def',
  await: 'await ',
  generator: (item) => `abc.AsyncGenerator[${item}, None]`,
  awaitable: (value) => `abc.Awaitable[${value}]`,
  about: 'The operations as coroutines.',
};

/** A method with everything that both clients share of it. */
interface Method {
  readonly operation: ClientOperation;
  readonly call: Call;
  readonly answer: string;
  readonly item: string | undefined;
  /** For a data frame; undefined where the answer is no table. */
  readonly frame: Call | undefined;
}

/** What is given to a method, and what is said of it. */
interface Call {
  readonly signature: readonly string[];
  readonly values: string;
  readonly note: string;
}

/** The modules with the methods of the client, of both kinds. Their types are added to `types`. */
export function pythonMethods(
  operations: readonly ClientOperation[],
  streamOf: (operation: string) => Stream,
  types: PythonTypes,
): { readonly synchronous: string; readonly asynchronous: string } {
  const methods = operations.map((operation) => readMethod(operation, types));
  return { synchronous: module(methods, streamOf, SYNC), asynchronous: module(methods, streamOf, ASYNC) };
}

function readMethod(operation: ClientOperation, types: PythonTypes): Method {
  const { name, answer, pages, parts, summary, description, arguments: given } = operation;
  const { properties, required } = given as {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
  };
  const rank = (argument: string) => (parts.includes(argument) ? 0 : required.includes(argument) ? 1 : 2);
  const order = Object.keys(properties).sort((a, b) => rank(a) - rank(b));
  const taken = order.find((argument) => IMPORTED.includes(pythonName(argument)));
  if (taken) throw new Error(`${name}: the argument ${taken} would hide a module`);
  const typeName = pascalCase(name);
  /** @param taking the arguments, in the order of the signature */
  const callWith = (taking: readonly string[], more: readonly (readonly string[])[]): Call => {
    const signature = taking.map((argument) => {
      const type = typeOfArgument(argument, properties[argument]!, operation, typeName, types);
      if (required.includes(argument)) return `${pythonName(argument)}: ${type}`;
      return `${pythonName(argument)}: ${type.endsWith('None') ? type : `${type} | None`} = None`;
    });
    signature.splice(parts.length, 0, ...(taking.length > parts.length || operation.idempotent ? ['*'] : []));
    if (operation.idempotent) signature.push('idempotency_key: str | None = None');
    const about = [wrapped(summary, '        '), wrapped(description, '        ')];
    return {
      signature,
      values: dictionary(taking.map((argument) => `${pythonString(argument)}: ${pythonName(argument)}`)),
      note: docstring([...about, ...argumentNotes(taking, properties, operation), ...more], '        '),
    };
  };
  // A frame is made of a table, which always has all its columns.
  const tabular = order.filter((argument) => argument !== FIELDS_PARAMETER);
  return {
    operation,
    call: callWith(order, []),
    answer: answer ? inModule(types.answered(answer, `${typeName}Answer`)) : 'None',
    item: pages && inModule(types.answered(pages.item as JsonSchema, `${typeName}Item`)),
    frame: operation.columns && callWith(tabular, [columnsNote(operation.columns)]),
  };
}

/** A list of the query is joined by commas, whether its schema is a list or a text that says so. */
function typeOfArgument(
  argument: string,
  schema: JsonSchema,
  { query }: ClientOperation,
  typeName: string,
  types: PythonTypes,
): string {
  if (query.includes(argument)) {
    if (schema['type'] === 'array') {
      const item = inModule(types.given(schema['items'] as JsonSchema, typeName));
      return `${item} | abc.Iterable[${item}]`;
    }
    if (/comma-separated/i.test(String(schema['description'] ?? ''))) return 'str | abc.Iterable[str]';
  }
  return inModule(types.given(schema, typeName + pascalCase(argument)));
}

/** Modules that the methods name; an argument of such a name would stand before them. */
const IMPORTED: readonly string[] = ['abc', 'dt', 'operations', 'pd', 'self', 't'];
const BUILT_IN = /^(?:str|int|float|bool|None|list|dict|Any|Literal|True|False|.*\..*)$/;

/** Classes stand in another module than the methods. */
const inModule = (type: string): string =>
  type.replaceAll(/"[^"]*"|[A-Za-z_][\w.]*/g, (word) =>
    word.startsWith('"') || BUILT_IN.test(word) ? word : `t.${word}`,
  );

function argumentNotes(
  order: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
  { idempotent }: ClientOperation,
): readonly (readonly string[])[] {
  const notes = order.flatMap((argument) => {
    const { description, default: fallback } = properties[argument]!;
    const told = [description, fallback === undefined ? undefined : `Default: ${pythonLiteral(fallback)}.`];
    const text = told.filter((part) => part !== undefined).join(' ');
    return wrapped(
      `${pythonName(argument)}: ${text === '' ? 'see the reference.' : text}`,
      '            ',
      '                ',
    );
  });
  const key = 'idempotency_key: Names the call, so that it is repeated without harm, by this client or by you.';
  if (idempotent) notes.push(...wrapped(key, '            ', '                '));
  return notes.length === 0 ? [] : [['        Args:', ...notes]];
}

/** A page is asked for where a limit is given; else there is one frame of all of them. */
const columnsNote = (columns: readonly { readonly name: string }[]): readonly string[] => [
  '        Returns:',
  ...wrapped(`Columns: ${columns.map(({ name }) => name).join(', ')}.`, '            '),
];

function module(methods: readonly Method[], streamOf: (operation: string) => Stream, flavour: Flavour): string {
  const { prefix, about } = flavour;
  const plain = methods.filter(({ operation }) => !operation.streams);
  const paged = plain.filter(({ item }) => item !== undefined);
  const streams = methods.filter(({ operation }) => operation.streams);
  const runner = `abc.Callable[[Operation, abc.Mapping[str, object]], ${flavour.generator('Any')}]`;
  // A list that goes on elsewhere would be cut after its first page.
  const tables = plain.filter(({ operation: { pages, query }, frame }) => {
    return frame && (!pages || query.includes('after_id'));
  });
  const group = (name: string, note: string, body: string, run = runner) => `class ${prefix}${name}:
    """${note}"""

    def __init__(self, run: ${run}) -> None:
        self._run = run
${body}`;
  return `${PYTHON_BANNER}"""${about}"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections import abc
from typing import TYPE_CHECKING, Any, Literal

from .._operation import Operation
from . import operations
from . import types as t

if TYPE_CHECKING:
    import pandas as pd


class ${prefix}Calls(ABC):
    """A method for each operation of the API."""

    @abstractmethod
    ${flavour.def} _call(
        self, operation: Operation, arguments: abc.Mapping[str, object], idempotency_key: str | None = None
    ) -> Any: ...
${plain.map((method) => callText(method, flavour)).join('')}

${group('Each', 'The items of lists, over all their pages.', paged.map((method) => generatorText(method, method.operation.name, method.item!, flavour)).join(''))}

${group(
  'Frames',
  'Answers as data frames. A list has all its pages, unless a limit is given: then it is that page.',
  tables.map(({ operation, frame }) => frameText(operation, frame!, flavour)).join(''),
  `abc.Callable[[Operation, abc.Mapping[str, object]], ${flavour.awaitable('pd.DataFrame')}]`,
)}

${group(
  'Streams',
  'What happens, as it happens. Connections that end are opened again; each opening costs its credit.',
  streams
    .map((method) => {
      const { name, item } = streamOf(method.operation.name);
      return generatorText(method, name, `t.${item}`, flavour);
    })
    .join(''),
)}`;
}

function callText({ operation, call: { signature, values, note }, answer }: Method, flavour: Flavour): string {
  const key = operation.idempotent ? ', idempotency_key' : '';
  const call = `${flavour.await}self._call(operations.${operation.name.toUpperCase()}, ${values}${key})`;
  const body = answer === 'None' ? `        ${call}\n` : `        answer: ${answer} = ${call}\n        return answer\n`;
  return `
    ${flavour.def} ${operation.name}(${parameters(signature)}) -> ${answer}:
${note}${body}`;
}

const frameText = ({ name }: ClientOperation, { signature, values, note }: Call, flavour: Flavour): string => `
    ${flavour.def} ${name}(${parameters(signature)}) -> pd.DataFrame:
${note}        return ${flavour.await}self._run(operations.${name.toUpperCase()}, ${values})
`;

const generatorText = (
  { operation, call: { signature, values, note } }: Method,
  name: string,
  item: string,
  flavour: Flavour,
): string => `
    def ${name}(${parameters(signature)}) -> ${flavour.generator(item)}:
${note}        return self._run(operations.${operation.name.toUpperCase()}, ${values})
`;

const dictionary = (entries: readonly string[]): string =>
  entries.length < 3
    ? `{${entries.join(', ')}}`
    : `{\n${entries.map((entry) => `            ${entry},\n`).join('')}        }`;

const parameters = (signature: readonly string[]): string =>
  signature.length === 0 ? 'self' : `\n        self,\n${signature.map((one) => `        ${one},\n`).join('')}    `;
