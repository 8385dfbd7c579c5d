import { sql } from 'kysely';
import { gap } from '../../sqlite/query-template.ts';

/** The members of a JSON array. */
export const listed = <T>(name: string) => sql<T>`(select value from json_each(${gap<string>(name)}))`;
