import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../../../domain/catalogue/catalogue.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { MAX_MY_BOOKS } from '../../calls/services/my-books-services.ts';

const PATH = '/api/agent/books';

const output = z.object({
  my_books: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Slugs of bookmakers; null: no list, so every book counts.' }),
});
type Output = z.infer<typeof output>;

const slug = z
  .string({ error: 'must be a string' })
  .regex(BOOKMAKER_SLUG, 'must be a slug: 1 to 40 lower-case letters, digits and underscores')
  // Of a call it means no list. Here it would be a book that nobody has, so that every other one were hidden.
  .refine((book) => book !== 'all', 'is no book: null stands for no list, so that every book counts')
  .meta({ examples: ['draftkings'] });

const body = z.object({
  my_books: z
    .array(slug, { error: 'must be an array of slugs, or null' })
    .min(1, 'must hold at least 1 slug; null stands for no list')
    .max(MAX_MY_BOOKS, `must hold at most ${MAX_MY_BOOKS} slugs`)
    .transform((books) => [...new Set(books)])
    .nullable()
    .meta({ description: 'Slugs of the books where you can bet, each counted once; null: no list.' }),
});

export const getMyBooks: Operation<object, object, object, Output> = {
  name: 'get_my_books',
  method: 'GET',
  path: PATH,
  tag: 'Account',
  summary: 'The books where the account can bet.',
  hint: 'Scans, the summary of odds and alerts name these alone, unless a call names others by `books`.',
  input: {},
  output,
  cost: flatCost(0),
  restOnly: true,
  run: async (_, { myBooks, principal }) => ({ my_books: asList(await myBooks.of(principal)) }),
};

export const putMyBooks: Operation<object, object, z.infer<typeof body>, Output> = {
  name: 'put_my_books',
  method: 'PUT',
  path: PATH,
  tag: 'Account',
  summary: 'Replaces the list of books where the account can bet.',
  hint: 'It is in force from the next call on, for every key of the account. Null ends the list.',
  input: { body },
  output,
  errors: ['forbidden'],
  cost: flatCost(0),
  restOnly: true,
  async run({ my_books: books }, { myBooks, principal }) {
    await myBooks.put(principal, books);
    return { my_books: books };
  },
};

const asList = (books: readonly string[] | null): string[] | null => books && [...books];
