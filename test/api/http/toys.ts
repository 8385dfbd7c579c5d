import { z } from 'zod';
import { notFound } from '../../../src/api/calls/api-errors.ts';
import { costWhenAvailable, flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import {
  asOfParameters,
  boolean,
  integer,
  limit,
  pathId,
  readAsOf,
  text,
} from '../../../src/api/operations/shared/parameters.ts';

/** Comma-separated words, as an array without empty and repeated ones. Case is kept. */
const slugList = (description: string) =>
  text(description, { max: 2000 })
    .transform((value) => [
      ...new Set(
        value
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== ''),
      ),
    ])
    .meta({ description });

/** Small operations that show every rule of the pipeline. */
const anything = z.looseObject({});

export const getThing: Operation = {
  name: 'get_thing',
  method: 'GET',
  path: '/v1/things/{id}',
  tag: 'Toys',
  summary: 'A thing',
  input: {
    path: pathId('thing'),
    query: z.object({ big: boolean('Whether it is big.').default(false), books: slugList('Books.').optional() }),
  },
  output: z.looseObject({ available: z.boolean() }),
  errors: ['not_found'],
  cost: costWhenAvailable as Operation['cost'],
  cache: (input) => (input.big ? 60 : 0),
  async run({ id, big, books }) {
    if (id === 13) throw new Error('secret detail');
    if (id > 100 || id < 0) throw notFound(`There is no thing ${id}.`);
    return { id, available: id !== 7, big, books: books ?? [] };
  },
};

export const listThings: Operation = {
  name: 'list_things',
  method: 'GET',
  path: '/v1/things',
  tag: 'Toys',
  summary: 'Things',
  input: { query: z.object({ sport: text('Sport.').optional(), limit: limit(), ...asOfParameters }) },
  output: anything,
  cost: flatCost(1),
  check(input, { now }) {
    readAsOf(input, now);
  },
  async run({ sport, limit: most }) {
    return { things: [], sport: sport ?? null, limit: most };
  },
};

export const createThing: Operation = {
  name: 'create_thing',
  method: 'POST',
  path: '/v1/things',
  tag: 'Toys',
  summary: 'Makes a thing',
  input: {
    body: z.object({
      name: text('Name.', { min: 1, max: 20 }),
      parts: z
        .array(integer('Part.', { min: 1 }))
        .max(3)
        .default([]),
      fast: boolean('Fast.').default(false),
    }),
  },
  output: anything,
  status: 201,
  cost: flatCost(3),
  run: async (input) => input,
};

export const removeThing: Operation = {
  name: 'remove_thing',
  method: 'DELETE',
  path: '/v1/things/{id}',
  tag: 'Toys',
  summary: 'Removes a thing',
  input: { path: pathId('thing') },
  output: anything,
  status: 204,
  cost: flatCost(0),
  run: async () => ({}),
};

export const batchThings: Operation = {
  ...createThing,
  name: 'batch_things',
  path: '/v1/things/batch',
  status: undefined,
};

export const toys: readonly Operation[] = [getThing, listThings, createThing, removeThing, batchThings];
