import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { panel, textCell } from '../panels.ts';
import type { SourcedFact } from './event-sources.ts';

/** What a source calls the event. */
export interface EventRef {
  readonly source: string;
  readonly ref: string;
  readonly recorded_at: string | null;
}

/** A change that a source took back. */
export interface EventCorrection {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly source: string;
  readonly at: string;
  readonly recorded_at: string;
}

export interface EventSources {
  readonly facts: readonly SourcedFact[];
  readonly refs: readonly EventRef[];
  readonly corrections: readonly EventCorrection[];
}

/** Each fact with its source, when it was observed and when it was recorded. */
export const sourcesTab = ({ facts, refs, corrections }: EventSources): Html => html`${panel(
  'Newest facts',
  facts.length === 0 ? emptyState('Nothing had been reported.') : factTable(facts),
  'Observed: when the source saw it. Recorded: when this server learned it.',
)}
${corrections.length > 0 && panel('Corrections', correctionTable(corrections))}
${panel('Ids of the sources', refs.length === 0 ? emptyState('No source has an id for it.') : refTable(refs))}`;

const factTable = (facts: readonly SourcedFact[]): Html =>
  dataTable(
    'Newest facts',
    ['Fact', 'What it says', 'Source', 'Observed', 'Recorded'],
    facts.map(
      ({ what, says, source, observedAt, recordedAt }) =>
        html`<tr><th scope="row">${what}</th>${textCell(says)}${textCell(source)}${textCell(publicTime(observedAt, 'second'))}${textCell(publicTime(recordedAt, 'second'))}</tr>
`,
    ),
  );

const correctionTable = (corrections: readonly EventCorrection[]): Html =>
  dataTable(
    'Corrections',
    ['Field', 'Before', 'After', 'Source', 'Observed', 'Recorded'],
    corrections.map(
      ({ field, before, after, source, at, recorded_at }) =>
        html`<tr><th scope="row">${field.replaceAll('_', ' ')}</th>${textCell(valueText(before))}${textCell(valueText(after))}${textCell(source)}${textCell(publicTime(at, 'second'))}${textCell(publicTime(recorded_at, 'second'))}</tr>
`,
    ),
  );

const refTable = (refs: readonly EventRef[]): Html =>
  dataTable(
    'Ids of the sources',
    ['Source', 'Its id', 'Recorded'],
    refs.map(
      ({ source, ref, recorded_at }) =>
        html`<tr><th scope="row">${source}</th>${textCell(ref)}${textCell(recorded_at === null ? null : publicTime(recorded_at, 'second'))}</tr>
`,
    ),
  );

/** `home 2, away 1` of a score. */
const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${name.replaceAll('_', ' ')} ${part ?? '–'}`)
        .join(', ')
    : String(value);
