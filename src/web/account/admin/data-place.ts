import { fieldText } from '../form-values.ts';
import type { PageRequest } from '../page-route.ts';

export const DATA_PATH = '/admin/data';

export type DataTab = 'waiting' | 'duplicates' | 'acts';

const dataTabOf = (text: string): DataTab => (text === 'duplicates' || text === 'acts' ? text : 'waiting');

/** What tells where in the page of data somebody is: the tab, the part of its list, and the filters of what waits. */
const PLACE = ['after', 'before', 'by_source', 'by_reason'] as const;
type Part = (typeof PLACE)[number];
const PARTS_OF: Readonly<Record<DataTab, readonly Part[]>> = {
  waiting: ['after', 'by_source', 'by_reason'],
  duplicates: [],
  acts: ['before'],
};

/** The place, as fields of a form. Parts that are not told are absent. */
export type DataPlace = { readonly tab: DataTab } & Readonly<Partial<Record<Part, string>>>;

/** Longer than any id of a group. */
const MAX_PART = 1000;

/** The place that a visit is at, or to which the sent form returns. */
export function placeOf({ method, form, query }: Pick<PageRequest, 'method' | 'form' | 'query'>): DataPlace {
  const given = method === 'POST' ? form : query;
  const tab = dataTabOf(fieldText(given, 'tab'));
  const parts = PARTS_OF[tab].flatMap((name) => {
    const text = fieldText(given, name);
    return text === '' || text.length > MAX_PART ? [] : [[name, text] as const];
  });
  return { tab, ...Object.fromEntries(parts) };
}

/** The address of a place, with more fields. */
export const placePath = (place: DataPlace, more: Readonly<Record<string, string>> = {}): string =>
  `${DATA_PATH}?${new URLSearchParams({ ...place, ...more } as Record<string, string>).toString()}`;

/** The address of an act in the list of acts. */
export const actPath = (act: number): string => `${placePath({ tab: 'acts', before: String(act + 1) })}#act-${act}`;
