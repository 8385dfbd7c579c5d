import { inUtc } from '../../view-model/times.ts';

interface Props {
  readonly at: string | number;
  /** Formats the time in the viewer's zone. */
  readonly write: (at: string | number) => string;
}

/** A moment in the viewer's own zone; in UTC on hover. */
export const Time = ({ at, write }: Props) => (
  <time dateTime={new Date(at).toISOString()} title={inUtc(at)}>
    {write(at)}
  </time>
);
