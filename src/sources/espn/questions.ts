import { DAY, HOUR, MINUTE } from '../../domain/time.ts';
import type { KnownEvent, LeagueView, Question } from '../importing/connector.ts';
import { type EasternDay, easternDays, isWithin } from '../importing/eastern-day.ts';
import { addressFor, type EspnRoute } from './routes.ts';

/** Seconds between two askings, by the state of the league. */
const TODAY = { live: 15, soon: 60, later: 600, idle: 3600 } as const;
const AHEAD = { live: 3600, soon: 3600, later: 3600, idle: 21_600 } as const;
const INJURIES = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SUMMARY_IN_PLAY = 30;
const SUMMARY_BEFORE = 300;
const DAILY = DAY / 1000;
const ROSTERS_APART = 30;

/** How early before the start a summary begins to tell of line-ups. */
const BEFORE_THE_START = 90 * MINUTE;
/** How long a game that should have begun is still waited for. */
const OVERDUE = 6 * HOUR;
/** When the statistics of a game that is over have settled. */
const SETTLED = 10 * MINUTE;
/** The end of a game that was over long before this server asks, or asks again, is not asked for. */
const END_ASKED = 2 * HOUR;

const IN_PLAY = ['inprogress', 'suspended'];
const TO_COME = ['scheduled', 'delayed'];

/** Everything that is asked of ESPN. @param pace what every wait is divided by */
export function espnQuestions(leagues: readonly LeagueView[], now: number, pace: number): Question[] {
  const { yesterday, today, ahead } = easternDays(now);
  const first = leagues.flatMap((league) => todayQuestions(league, today, yesterday));
  const names = ahead.map(({ name }) => name);
  return [...first, ...leagues.flatMap((league) => otherQuestions(league, now, names, pace))];
}

function question(
  route: EspnRoute,
  view: LeagueView,
  every: Question['every'],
  of?: string,
  more: Partial<Question> = {},
): Question[] {
  const address = addressFor(route, view.league, of);
  if (!address) return [];
  const key = ['espn', route, view.league, of].filter(Boolean).join(':');
  return [{ key, kind: route, league: view.league, ...address, every, urgency: view.state, ...more }];
}

/** Today's scoreboard, and yesterday's while one of its games is not over. */
function todayQuestions(view: LeagueView, today: EasternDay, yesterday: EasternDay): Question[] {
  const asked = ({ name }: EasternDay, more?: Partial<Question>) =>
    question('scoreboard', view, TODAY[view.state], name, more);
  const open = view.events.some((event) => isWithin(yesterday, event.startsAt) && isOpen(event));
  return [...asked(today, { isFirst: true }), ...(open ? asked(yesterday) : [])];
}

/** A postponed game is not played on that day any more. */
const isOpen = ({ overSince, status }: KnownEvent): boolean => overSince === undefined && status !== 'postponed';

function otherQuestions(view: LeagueView, now: number, ahead: readonly string[], pace: number): Question[] {
  const tennis = view.sport === 'tennis';
  const idle: Partial<Question> = { urgency: 'idle' };
  const rosters: Partial<Question> = { ...idle, line: { name: 'espn:rosters', apart: ROSTERS_APART } };
  return [
    ...(tennis ? [] : view.events.flatMap((event) => summaryQuestions(event, view, now, pace))),
    ...ahead.flatMap((day) => question('scoreboard', view, AHEAD[view.state], day)),
    // Tennis has players and rankings in place of teams.
    ...(tennis ? [] : question('injuries', view, INJURIES[view.state])),
    ...question(tennis ? 'rankings' : 'teams', view, DAILY, undefined, idle),
    ...(tennis ? [] : view.teamRefs.flatMap((ref) => question('roster', view, DAILY, ref, rosters))),
  ];
}

function summaryQuestions(event: KnownEvent, view: LeagueView, now: number, pace: number): Question[] {
  const { ref, status, startsAt, overSince } = event;
  if (ref === undefined) return [];
  if (IN_PLAY.includes(status)) return question('summary', view, SUMMARY_IN_PLAY, ref);
  const near = startsAt - now <= BEFORE_THE_START && now - startsAt <= OVERDUE;
  if (TO_COME.includes(status) && near) return question('summary', view, SUMMARY_BEFORE, ref);
  if (status !== 'final' || overSince === undefined || now - overSince > END_ASKED) return [];
  const settled = overSince + SETTLED / pace;
  const [end] = question('summary', view, 'once', ref);
  return end
    ? [
        { ...end, key: `${end.key}:end` },
        { ...end, key: `${end.key}:settled`, notBefore: settled },
      ]
    : [];
}
