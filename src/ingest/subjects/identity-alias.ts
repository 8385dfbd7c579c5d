import { firstKnownAt, playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import { OPERATOR } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { Moved } from '../../domain/streams/identity-stream.ts';
import { playerStream, teamStream } from '../../domain/streams/stream-definitions.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { type ActRules, type ActStamp, type ContentOf, refusal } from './identity-act.ts';
import { anyRefOf, findNamed, thingOf } from './identity-things.ts';

type Alias = ContentOf<'alias'>;

/** `alias`: a team or a player is known under one more name, to messages and to readers. */
export const aliasRules: ActRules<Alias> = {
  async plan(session, message) {
    const { id, name, sport: ofSport } = message;
    const what = message.what === 'player' ? 'player' : 'team';
    const thing = await findNamed(session, what, id!, 'id', ofSport);
    if ('rejection' in thing) return thing;
    const { sport, league } = thing;
    const content: Alias = {
      action: 'alias',
      what,
      id: thing.id,
      idRef: await anyRefOf(session, what, thing),
      name: name!,
      sport,
      league,
    };
    if ((await idsOfName(session, content)).includes(thing.id)) return 'known';
    const rejection = await refuseTaken(session, content, 'name');
    return rejection ? { rejection } : { content, moved: await movedByName(session, content) };
  },

  refuseAgain: (session, content) => refuseTaken(session, content, 'act'),

  refuseUndo: async () => undefined,

  // What was told under the name stays where it is.
  movedBy: async (session, content, isAgain) => (isAgain ? movedByName(session, content) : { records: 0, refs: 0 }),

  async apply(session, content, stamp) {
    const { what, id, name, sport } = content;
    const normalized = normalizeName(name);
    await session.identities.addAlias(what, sport, normalized, id);
    await tellDirectory(session, { ...content, id: session.meaningOf(what, id) }, stamp, true);
    session.noteKnown(keyOf(content));
  },

  async revert(session, content, stamp) {
    const { what, id, name, sport } = content;
    await session.identities.removeAlias(what, sport, normalizeName(name), id);
    // The entry may have been merged into another since.
    await tellDirectory(session, { ...content, id: session.meaningOf(what, id) }, stamp, false);
  },
};

const keyOf = ({ what, sport, name }: Alias): string => identityKeyOf.name(what, sport, normalizeName(name));

/** The messages that wait for the name: they are tried again. */
const movedByName = async ({ identities }: IngestSession, content: Alias): Promise<Moved> => ({
  records: (await identities.findWaitingFor(keyOf(content)))?.messages ?? 0,
  refs: 0,
});

const idsOfName = ({ identities }: IngestSession, { what, sport, name }: Alias): Promise<readonly number[]> =>
  identities.findByName(what, sport, normalizeName(name));

/** A name that means another one of the league would make messages ambiguous. */
async function refuseTaken(session: IngestSession, content: Alias, path: string): Promise<Rejection | undefined> {
  const { what, id, name, league } = content;
  for (const other of await idsOfName(session, content)) {
    if (other === session.meaningOf(what, id)) continue;
    const thing = await thingOf(session, what, other);
    if (!thing || thing.league === null || league === null || thing.league === league) {
      return refusal('name_taken', path, `${name} is ${what} ${other}`);
    }
  }
  return undefined;
}

/** Tells the directory, so that readers find the entry under the name. */
async function tellDirectory(
  { states }: IngestSession,
  { what, id, name, sport }: Alias,
  { at, act }: ActStamp,
  isKnown: boolean,
): Promise<void> {
  const first =
    what === 'team'
      ? firstKnownAt(await states.get(teamDecider, id))
      : firstKnownAt(await states.get(playerDecider, id));
  // Readers by time of observation must know the entry before they hear of its name.
  const data = { at: timeOf(at) < timeOf(first) ? first : at, source: OPERATOR, sport, alias: name, isKnown, act };
  if (what === 'team') {
    states.stage(teamDecider, id, [createEvent(teamStream, id, 'TeamAliasChanged', { ...data, teamId: id })]);
  } else {
    states.stage(playerDecider, id, [createEvent(playerStream, id, 'PlayerAliasChanged', { ...data, playerId: id })]);
  }
}
