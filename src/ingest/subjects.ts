import type { FeedMessage } from '../domain/feed/messages.ts';
import type { AnySubject, MessageRules } from './subject.ts';
import { boxSubject } from './subjects/box-subject.ts';
import { injuriesSubject } from './subjects/injuries-subject.ts';
import { lineupSubject } from './subjects/lineup-subject.ts';
import { oddsSubject } from './subjects/odds-subject.ts';
import { playerSubject } from './subjects/player-subject.ts';
import { seasonSubject } from './subjects/season-subject.ts';
import { splitsSubject } from './subjects/splits-subject.ts';
import { sportsEventSubject } from './subjects/sports-event-subject.ts';
import { teamSubject } from './subjects/team-subject.ts';

/** Everything that feeds tell of. A new subject is a file in `subjects/` and a line here. */
const LIST = [
  sportsEventSubject,
  oddsSubject,
  splitsSubject,
  boxSubject,
  lineupSubject,
  teamSubject,
  playerSubject,
  injuriesSubject,
  seasonSubject,
] as const;
export const SUBJECTS: readonly AnySubject[] = LIST;

type KindsOf<Subject> = Subject extends { readonly messages: infer Messages } ? keyof Messages : never;
type HandledKind = KindsOf<(typeof LIST)[number]>;

const rules: ReadonlyMap<string, MessageRules<any>> = new Map(
  SUBJECTS.flatMap(({ messages }) => Object.entries(messages)),
);

/** What the intake does with this message. Nobody can ask for a kind of message that no subject handles. */
export const rulesFor = ({ kind }: FeedMessage & { readonly kind: HandledKind }): MessageRules<FeedMessage> =>
  rules.get(kind)!;
