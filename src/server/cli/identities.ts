import { userInfo } from 'node:os';
import type { WantedAct } from '../../web/account/admin/identity-desk.ts';
import type { ActOrder, IdentitiesActionName } from '../control/identities-action.ts';
import type { MendingParts } from '../mending/do-act.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { boundSideOf, idOf, refOf, subjectOf } from './identity-arguments.ts';
import { inPages, printRows } from './identity-tables.ts';
import { type ActionForms, actionOf, doAction, type RegistryCommand } from './registry-command.ts';

const help = `
identities waiting        what waits in quarantine, by source and ref, with what it may mean
  --source S              of this source
  --reason R              ambiguous, unknown_event, unknown_ref, unknown_team, unknown_player, ambiguous_team,
                          ambiguous_player, side_unproved,
                          contract_unclear or refused
  --league L              of this league
identities waiting --id ID
                          the messages of the group with this id, oldest first
  --limit N               so many; 100 by default
identities waiting --dismissed
                          what was given up and may be taken back, by act; with --id ACT its messages
identities duplicates     pairs that are probably one: events, teams, players
  --league L              of this league
identities show event|team|player ID
                          its names, its sides, its refs, and the acts on it; of an id that was merged, of the event
                          that it means now
identities merge event|team|player FROM INTO
                          the two are one: all that was told of FROM is INTO's
  --force                 also two events that are over, and began more than 36 hours apart
identities split event|team|player SOURCE:REF
                          what the source calls REF is one of its own
  --into ID               or is ID, which exists
  --sport S               of this sport, where the source has the same ref in two
identities bind SOURCE:REF ID
                          what the source calls REF is ID: what waits under it is released, what comes is taken
  --side SIDE             REF is a contract of a prediction market, and its Yes is the bet on home, away, draw,
                          player_1, player_2, over or under of the event ID
  --point P               of a spread or a total: the line of that side
identities alias team|player ID NAME
                          is known under one more name
identities dismiss SOURCE:REF
identities dismiss --waiting ID
                          gives up what waits under the ref, or in the group of this id
identities undo ACT       the act never was, from now on; an undo may be undone
identities history        every act, newest first

  --what WHAT             bind and dismiss: event, team or player; without it what waits decides, else event
  --note TEXT             why, up to 500 characters
  --dry-run               prints the same and does nothing
  --json                  lines of JSON on a terminal too
  --data-dir DIR          the data folder (DATA_DIR, or ./data)

Each row is a line of JSON; a table on a terminal. An act prints
{act, action, what, from, into, moved: {records, refs}}; act is null for a dry run, and where it was so already.
target says what INTO is, and from_target what a merge or a split takes something from: {id, name, starts_at, league}.
Where a merge, a split or an undo changes the start, the name or the status of an event, it also prints what INTO
becomes, and the event that it takes something from: {becomes, from_becomes}. The schedule observed last decides.
Exit codes: 0; 1 refused (not_found, same, cycle, different_league, different_sides, over_and_apart, already_bound,
ambiguous, unknown_side, name_taken, has_records, stands_on) or nothing is known of it; 2 bad arguments.`;

const ACTIONS = {
  waiting: { takes: 0, what: 'no arguments, only options' },
  duplicates: { takes: 0, what: 'no arguments, only options' },
  show: { takes: 2, what: 'event, team or player, and an ID' },
  merge: { takes: 3, what: 'event, team or player, FROM and INTO' },
  split: { takes: 2, what: 'event, team or player, and a SOURCE:REF' },
  bind: { takes: 2, what: 'a SOURCE:REF and an ID' },
  alias: { takes: 3, what: 'team or player, an ID and a NAME' },
  dismiss: { takes: 1, what: 'one SOURCE:REF, or --waiting ID' },
  undo: { takes: 1, what: 'one ACT' },
  history: { takes: 0, what: 'no arguments' },
} as const satisfies ActionForms<string>;
type ActionName = keyof typeof ACTIONS;

/** The options of each action, beside those of all. */
const OPTIONS: Readonly<Record<ActionName, readonly string[]>> = {
  waiting: ['source', 'reason', 'league', 'id', 'limit', 'dismissed'],
  duplicates: ['league'],
  show: [],
  merge: ['force', 'note', 'dry-run'],
  split: ['into', 'sport', 'note', 'dry-run'],
  bind: ['what', 'side', 'point', 'note', 'dry-run'],
  alias: ['note', 'dry-run'],
  dismiss: ['waiting', 'what', 'note', 'dry-run'],
  undo: ['note', 'dry-run'],
  history: [],
};

const FLAGS: readonly string[] = ['dry-run', 'force', 'dismissed'];

async function identities(args: Arguments): Promise<number> {
  const isGroup = args.positionals[0] === 'dismiss' && args.text('waiting') !== undefined;
  const forms = { ...ACTIONS, ...(isGroup && { dismiss: { takes: 0, what: 'no SOURCE:REF beside --waiting' } }) };
  const { action, given } = actionOf<ActionName>('identities', forms, args);
  for (const name of new Set(Object.values(OPTIONS).flat())) {
    const isGiven = FLAGS.includes(name) ? args.flag(name) : args.text(name) !== undefined;
    if (isGiven && !OPTIONS[action].includes(name)) throw new UsageError(`identities ${action} takes no --${name}`);
  }
  switch (action) {
    case 'waiting':
    case 'duplicates':
    case 'show':
    case 'history':
      return (await import('./identity-reads.ts')).readIdentities(args, action, given);
    default:
      return act(args, wantedAct(action, given, args));
  }
}

async function act(args: Arguments, wanted: WantedAct): Promise<number> {
  const { commandTarget } = await import('./command-target.ts');
  const config = await commandTarget(args.dataDir, { command: 'identities', engines: ['event-log', 'registry'] });
  const order: ActOrder = { wanted, isTrial: args.flag('dry-run') };
  const rows = await doAction(command, config, 'act', order);
  await printRows('acts', inPages(rows), args.flag('json') || !process.stdout.isTTY);
  return 0;
}

const MAX_NOTE = 500;

function wantedAct(action: ActionName, given: readonly string[], args: Arguments): WantedAct {
  const note = args.text('note');
  if (note !== undefined && [...note].length > MAX_NOTE) {
    throw new UsageError(`--note is longer than ${MAX_NOTE} characters`);
  }
  const what = args.text('what');
  const said = { by: userInfo().username, ...(note === undefined ? {} : { note }) };
  const subject = what === undefined ? {} : { what: subjectOf(what) };
  switch (action) {
    case 'merge': {
      const [of, from, into] = given;
      const force = args.flag('force') ? { force: true } : {};
      return { action, what: subjectOf(of!), from: idOf(from!), into: idOf(into!), ...force, ...said };
    }
    case 'split': {
      const [of, ref] = given;
      const into = args.text('into');
      const sport = args.text('sport');
      const target = { ...(into === undefined ? {} : { into: idOf(into) }), ...(sport === undefined ? {} : { sport }) };
      return { action, what: subjectOf(of!), source_ref: refOf(ref!), ...target, ...said };
    }
    case 'bind': {
      const side = boundSideOf(args.text('side'), args.text('point'));
      const bound = side ? { what: 'event' as const, side } : subject;
      return { action, ...bound, source_ref: refOf(given[0]!), into: idOf(given[1]!), ...said };
    }
    case 'alias': {
      const [of, id, name] = given;
      if (of !== 'team' && of !== 'player') throw new UsageError(`an alias is of a team or a player, not of ${of}`);
      return { action, what: of, id: idOf(id!), name: name!, ...said };
    }
    case 'dismiss': {
      const waiting = args.text('waiting');
      return waiting === undefined
        ? { action, ...subject, source_ref: refOf(given[0]!), ...said }
        : { action, waiting, ...said };
    }
    default:
      return { action: 'undo', act: idOf(given[0]!), ...said };
  }
}

const command: RegistryCommand<MendingParts, IdentitiesActionName> = {
  name: 'identities',
  ofFolder: (opened) => opened.mending(),
  ofCluster: async (config) => {
    const { close, ...parts } = await (await import('../cluster/command-engines.ts')).openClusterIntake(config);
    return { parts, close };
  },
  act: async (parts, _, request) => (await import('../control/identities-action.ts')).identitiesAction(parts, request),
};

const form = {
  help,
  options: {
    source: { type: 'string' },
    reason: { type: 'string' },
    league: { type: 'string' },
    waiting: { type: 'string' },
    id: { type: 'string' },
    limit: { type: 'string' },
    dismissed: { type: 'boolean' },
    what: { type: 'string' },
    into: { type: 'string' },
    sport: { type: 'string' },
    side: { type: 'string' },
    point: { type: 'string' },
    force: { type: 'boolean' },
    note: { type: 'string' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: identities,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
