import { playNba, playNcaab } from './games/basketball.ts';
import type { Play } from './games/play.ts';
import { playSoccer } from './games/soccer.ts';

/** What befalls a game beside its score. */
export type Fate =
  | 'plain'
  /** Overtime, extra innings or extra time. */
  | 'beyond'
  /** Shootout or penalties. */
  | 'shootout'
  | 'delayed'
  | 'suspended'
  | 'postponed'
  | 'cancelled'
  | 'retired'
  | 'walkover'
  /** Its start is moved before it comes. */
  | 'moved';

export interface LeagueProgramme {
  readonly slug: string;
  readonly play: Play;
  /** Games of a day. */
  readonly games: number;
  /** About how long one lasts, in simulated minutes. */
  readonly minutes: number;
  /** Games with something to tell; all others are plain. */
  readonly fates: readonly Fate[];
  readonly knockout?: true;
  readonly neutral?: true;
}

/** What is played on a day. */
export const PROGRAMME: readonly LeagueProgramme[] = [
  { slug: 'nba', play: playNba, games: 12, minutes: 135, fates: ['beyond', 'postponed', 'delayed'] },
  { slug: 'ncaab', play: playNcaab, games: 12, minutes: 117, fates: ['beyond', 'cancelled'] },
  { slug: 'epl', play: playSoccer, games: 3, minutes: 115, fates: ['delayed'] },
  { slug: 'la_liga', play: playSoccer, games: 2, minutes: 115, fates: [] },
  { slug: 'serie_a', play: playSoccer, games: 2, minutes: 115, fates: [] },
  { slug: 'bundesliga', play: playSoccer, games: 2, minutes: 115, fates: ['postponed'] },
  { slug: 'ligue_1', play: playSoccer, games: 2, minutes: 115, fates: ['suspended'] },
  { slug: 'mls', play: playSoccer, games: 2, minutes: 115, fates: ['delayed'] },
  { slug: 'ucl', play: playSoccer, games: 2, minutes: 115, fates: ['shootout', 'beyond'], knockout: true },
  {
    slug: 'fifa_world_cup',
    play: playSoccer,
    games: 2,
    minutes: 115,
    fates: ['beyond'],
    knockout: true,
    neutral: true,
  },
];
