import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { CalendarEvent } from '../../../platform/icalendar.ts';
import { nextPageOf } from './answer-format.ts';
import type { Operation, OperationContext } from './operation.ts';
import { parametersOf } from './operation-input.ts';

/** Rows that one answer in several pages may have: more than the games of any season. */
export const MAX_ROWS_OF_PAGES = 2500;

/** The largest page of a list that goes on by a cursor; undefined: it is no such list. */
export function largestPageOf({ input }: Pick<Operation, 'input'>): number | undefined {
  const { limit, after, after_id } = parametersOf(input.query);
  const most = limit?.['maximum'];
  return typeof most === 'number' && (after ?? after_id) ? most : undefined;
}

/** The pages of one answer, with the cursor of the last one. */
interface Pages {
  readonly pages: readonly Record<string, unknown>[];
}

/**
 * An operation whose answer is that of several pages of a list, read one after the other. Rows and calendar entries are
 * made by the operation from each page; it has no JSON of its own. It costs what its pages cost.
 * @param page the largest page
 */
export function readManyPages(operation: Operation, page: number): Operation {
  const { table, calendar, cost, cache } = operation;
  const pageInput = ({ limit, ...input }: any, rows = limit) => ({ ...input, limit: Math.min(rows, page) });
  return {
    ...operation,
    cost: {
      description: cost.description,
      creditsFor: (input, { pages }: Pages) =>
        pages.reduce((credits, one) => credits + cost.creditsFor(pageInput(input), one), 0),
      bounds: (input) => {
        const { min, max } = cost.bounds(pageInput(input));
        return { min, max: max * Math.ceil(input.limit / page) };
      },
    },
    ...(cache && { cache: (input, { pages }: Pages, now) => cache(pageInput(input), pages.at(-1), now) }),
    ...(table && {
      table: {
        columns: table.columns,
        *rows({ pages }: Pages) {
          for (const one of pages) yield* table.rows(one);
        },
      },
    }),
    ...(calendar && {
      async calendar({ pages }: Pages, context: OperationContext) {
        const entries: CalendarEvent[] = [];
        for (const one of pages) {
          entries.push(...(await calendar(one, context)));
          await yieldToEventLoop();
        }
        return entries;
      },
    }),
    async run(input, context): Promise<Pages> {
      const pages: Record<string, unknown>[] = [];
      let cursor = {};
      for (let rows = input.limit; rows > 0; rows -= page) {
        const one = await operation.run({ ...pageInput(input, rows), ...cursor }, context);
        pages.push(one);
        await yieldToEventLoop();
        const next = nextPageOf(one);
        if (!next?.exists) break;
        cursor = { [next.parameter]: next.parameter === 'after_id' ? Number(next.cursor) : next.cursor };
      }
      const { next_after_id, next_after, has_more } = pages.at(-1)!;
      return { pages, next_after_id, next_after, has_more } as Pages;
    },
  };
}
