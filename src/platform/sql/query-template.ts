import type { CompiledQuery } from 'kysely';
import type { Compilable } from './query-runner.ts';

/** A compiled query with its values. */
export type FilledQuery<Row> = Compilable<Row>;

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for a value that is given later. */
export const placeholder = <T>(name: string): T => new Placeholder(name) as unknown as T;

/**
 * A query with placeholders, compiled once. Building takes longer than running, which matters for statements that run a
 * thousand times a second.
 */
export function compileTemplate<Row = unknown>(query: Compilable<unknown>): (values: object) => FilledQuery<Row> {
  const compiled = query.compile();
  return (values) => ({
    compile: () =>
      ({
        ...compiled,
        parameters: compiled.parameters.map((parameter) =>
          parameter instanceof Placeholder ? (values as Record<string, unknown>)[parameter.name] : parameter,
        ),
      }) as CompiledQuery<Row>,
  });
}
