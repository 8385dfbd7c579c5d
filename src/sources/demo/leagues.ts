import { playMlb } from './games/baseball.ts';
import { playNba, playNcaab } from './games/basketball.ts';
import { playNcaaf, playNfl } from './games/football.ts';
import { playNhl } from './games/hockey.ts';
import type { Play } from './games/play.ts';
import { playSoccer } from './games/soccer.ts';
import { playAtp, playWta } from './games/tennis.ts';

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
  { slug: 'nfl', play: playNfl, games: 11, minutes: 178, fates: ['beyond', 'delayed'] },
  { slug: 'nba', play: playNba, games: 15, minutes: 135, fates: ['beyond', 'postponed', 'delayed'] },
  { slug: 'mlb', play: playMlb, games: 13, minutes: 165, fates: ['beyond', 'suspended', 'delayed', 'postponed'] },
  { slug: 'nhl', play: playNhl, games: 14, minutes: 150, fates: ['beyond', 'shootout', 'moved'] },
  { slug: 'ncaaf', play: playNcaaf, games: 11, minutes: 185, fates: ['beyond', 'suspended', 'cancelled'] },
  { slug: 'ncaab', play: playNcaab, games: 15, minutes: 117, fates: ['beyond', 'cancelled'] },
  { slug: 'atp', play: playAtp, games: 10, minutes: 98, fates: ['retired', 'walkover', 'moved'], neutral: true },
  { slug: 'wta', play: playWta, games: 10, minutes: 98, fates: ['retired', 'walkover', 'suspended'], neutral: true },
  { slug: 'epl', play: playSoccer, games: 3, minutes: 115, fates: ['delayed'] },
  { slug: 'la_liga', play: playSoccer, games: 2, minutes: 115, fates: [] },
  { slug: 'serie_a', play: playSoccer, games: 2, minutes: 115, fates: [] },
  { slug: 'bundesliga', play: playSoccer, games: 2, minutes: 115, fates: ['postponed'] },
  { slug: 'ligue_1', play: playSoccer, games: 2, minutes: 115, fates: ['suspended'] },
  { slug: 'mls', play: playSoccer, games: 3, minutes: 115, fates: ['delayed'] },
  { slug: 'ucl', play: playSoccer, games: 3, minutes: 115, fates: ['shootout', 'beyond'], knockout: true },
  {
    slug: 'fifa_world_cup',
    play: playSoccer,
    games: 3,
    minutes: 115,
    fates: ['beyond'],
    knockout: true,
    neutral: true,
  },
];
