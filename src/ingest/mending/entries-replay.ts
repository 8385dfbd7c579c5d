import { firstKnownAt, playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { type InjuryCommand, injuriesDecider } from '../../../commands/injuries-decider.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { type DomainRecord, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import { playerStream, teamStream } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { StreamsInOrder } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { StreamStates } from '../states/stream-states.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { type FindRecord, replayedMessagesOf, reportOf } from '../subjects/subjects.ts';
import { decideAgain, stageAgain } from './decide-again.ts';
import type { EntryOf } from './entry-homes.ts';
import type { ScheduleRecord } from './mapped-sides.ts';
import type { InjuryReport } from './move-replay.ts';
import { mentionsOf, SchedulesInOrder } from './schedule-mentions.ts';

interface EntriesReplayParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  /** Where the decisions are staged; of other entries they hold the present states. */
  readonly states: StreamStates;
  readonly find: FindRecord;
  readonly entryOf: EntryOf;
  /** Gets each report as it was recorded at first. */
  readonly noteReport?: ((report: DomainRecord) => void) | undefined;
  /** Appends what is staged. */
  readonly append: () => Promise<void>;
  readonly pageSize?: number | undefined;
}

interface WaitingReport {
  readonly team: number;
  readonly command: InjuryCommand;
  /** As it was recorded. */
  readonly player: number;
  readonly report: InjuryReport;
}

type RecordOfType<Type extends DomainRecord['type']> = Extract<DomainRecord, { type: Type }>;

/**
 * Writes the records of some teams and players anew, and those of the injuries of these teams: each to the entry that
 * it means, by the same deciders, in the order of the first recording.
 */
export class EntriesReplay {
  readonly #parts: EntriesReplayParts;
  readonly #records: StreamsInOrder;
  readonly #schedules = new SchedulesInOrder();
  readonly #things = new Set<string>();
  /** The player of each name in a stream of injuries, as it was recorded. */
  readonly #identified = new Map<string, number>();
  /** The last report on a name whose player was in another team: it waits until the name is told again. */
  readonly #unidentified = new Map<string, WaitingReport>();
  /** The last report on each name in a stream of injuries. */
  readonly #lastReports = new Map<string, { readonly team: number; readonly command: InjuryCommand }>();

  constructor(parts: EntriesReplayParts) {
    this.#parts = parts;
    this.#records = new StreamsInOrder(parts.log, parts.pageSize);
  }

  /** An entry whose records are replayed with those that were added before. */
  add(kind: EntryKind, id: number): void {
    this.#things.add(`${kind}-${id}`);
    const plain = streamsOfPartition(kind, id);
    this.#records.add(plain.flatMap((stream) => this.#parts.log.replacements.allOf(stream)));
  }

  has(kind: EntryKind, id: number): boolean {
    return this.#things.has(`${kind}-${id}`);
  }

  /** All entries of this kind, ascending. */
  all(kind: EntryKind): readonly number[] {
    const things = [...this.#things].filter((thing) => thing.startsWith(`${kind}-`));
    return things.map((thing) => Number(thing.slice(kind.length + 1))).sort((a, b) => a - b);
  }

  /** Reports of which a player was known, and is not any more. */
  get unidentified(): readonly InjuryReport[] {
    return [...this.#unidentified.values()].map(({ report }) => report);
  }

  /**
   * Replays what was recorded up to a position. May be called again, with a later position.
   * @param schedules those of events up to there that name the entries, and were not passed before: the directory keeps
   *   the earliest mention of an entry alone, which another one than before may have
   */
  async through(position: Position, schedules: readonly ScheduleRecord[] = []): Promise<void> {
    this.#schedules.expect(schedules);
    for await (const page of this.#records.pagesThrough(position)) {
      for (const [index, record] of (page as readonly DomainRecord[]).entries()) {
        for (const schedule of this.#schedules.takeBefore(record)) await this.#mentionSides(schedule);
        await this.#take(record, () => nextOfStream(page as readonly DomainRecord[], index));
        await yieldToEventLoop();
      }
      await this.#parts.append();
    }
    for (const schedule of this.#schedules.takeBefore()) {
      await this.#mentionSides(schedule);
      await yieldToEventLoop();
    }
    await this.#parts.append();
  }

  /** What was reported of the entries in their former streams since the last replay, up to a position, as messages. */
  async missedUntil(position: Position): Promise<readonly ReplayedMessage[]> {
    const missed: ReplayedMessage[] = [];
    for await (const page of this.#records.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[])
        missed.push(...(await replayedMessagesOf(record, this.#parts.find)));
    }
    return missed;
  }

  async #take(record: DomainRecord, next: () => DomainRecord | undefined): Promise<void> {
    const identified = record.type === 'InjuredPlayerIdentified' ? record : undefined;
    if (identified) this.#identified.set(nameInStream(identified), identified.data.playerId);
    if (isReplayed(record)) return;
    if (identified) return this.#identify(identified);
    const report = await reportOf(record, this.#parts.find);
    if (report) this.#parts.noteReport?.(report);
    switch (report?.type) {
      case 'TeamChanged':
        return this.#describeTeam(report, record);
      case 'PlayerChanged':
        return this.#describePlayer(report);
      case 'TeamAliasChanged':
      case 'PlayerAliasChanged':
        return this.#nameEntry(report);
      case 'InjuryReported':
        return this.#reportInjury(report, next());
    }
  }

  /** A schedule creates the entries that it names, as far as nobody has named them before. */
  async #mentionSides(schedule: ScheduleRecord): Promise<void> {
    this.#parts.noteReport?.(schedule);
    const { sport, league, at, source } = schedule.data;
    const { entryOf, states } = this.#parts;
    for (const { kind, name, abbreviation, country_code, ...named } of mentionsOf(schedule)) {
      const id = entryOf(kind, sport, { ...named, name });
      if (!this.has(kind, id)) continue;
      const country = country_code === null ? {} : { country_code };
      const facts =
        kind === 'team'
          ? { name, ...(abbreviation === null ? {} : { abbreviation }), ...country }
          : { full_name: name, ...country };
      const command = { id, sport, at, source, content: { rank: 'named' as const, league, facts } };
      const decider: StreamDecider = kind === 'team' ? teamDecider : playerDecider;
      await decideAgain(states, decider, id, command, schedule.recordedAt);
    }
  }

  async #describeTeam({ data, recordedAt }: RecordOfType<'TeamChanged'>, record: DomainRecord): Promise<void> {
    const { teamId, sport, at, source, content } = data;
    if (content.rank === 'named' && this.#schedules.has({ data, recordedAt }, content.facts.name)) return;
    // Whose ref a repeated record has is not known of records of earlier versions.
    const ref = record.type === 'TeamReconfirmed' ? record.data.ref : data.ref;
    const id = this.#parts.entryOf('team', sport, { id: teamId, source, ref, name: content.facts.name });
    const command = { id, sport, ...(ref === undefined ? {} : { ref }), at, source, content };
    if (this.has('team', id)) await decideAgain(this.#parts.states, teamDecider, id, command, recordedAt);
  }

  async #describePlayer({ data, recordedAt }: RecordOfType<'PlayerChanged'>): Promise<void> {
    const { playerId, sport, ref, at, source, content } = data;
    if (content.rank === 'named' && this.#schedules.has({ data, recordedAt }, content.facts.full_name)) return;
    const { entryOf, states } = this.#parts;
    const { team_id, team_ref, ...facts } = content.facts;
    const team = {
      ...(team_ref === undefined ? {} : { team_ref }),
      ...(team_id === undefined ? {} : { team_id: entryOf('team', sport, { id: team_id, source, ref: team_ref }) }),
    };
    const id = entryOf('player', sport, { id: playerId, source, ref, name: facts.full_name });
    const told = { ...content, facts: { ...facts, ...team } };
    const command = { id, sport, ...(ref === undefined ? {} : { ref }), at, source, content: told };
    if (!this.has('player', id)) return;
    await decideAgain(states, playerDecider, id, command, recordedAt);
    const names = new Set([facts.full_name, ...(facts.aliases ?? [])].map(normalizeName));
    for (const [key, open] of this.#unidentified) {
      const isUnderRef = ref !== undefined && open.command.source === source && open.command.origin.player_ref === ref;
      if (!isUnderRef && !names.has(open.command.name)) continue;
      const identified = await this.#knownPlayer(open.player, open.team, open.command);
      if (!identified) continue;
      this.#unidentified.delete(key);
      await this.#decideInjury(open.team, { ...open.command, identified }, recordedAt);
    }
  }

  async #nameEntry(record: RecordOfType<'TeamAliasChanged' | 'PlayerAliasChanged'>): Promise<void> {
    const { data, recordedAt } = record;
    const { entryOf, states } = this.#parts;
    const kind = 'teamId' in data ? 'team' : 'player';
    const { sport, source } = data;
    const id = entryOf(kind, sport, { id: 'teamId' in data ? data.teamId : data.playerId, source });
    if (!this.has(kind, id)) return;
    const known = kind === 'team' ? await states.get(teamDecider, id) : await states.get(playerDecider, id);
    if (known.sport === undefined) return;
    // Readers by time of observation must know the entry before they hear of its name.
    const first = firstKnownAt<object, unknown>(known);
    const at = timeOf(data.at) < timeOf(first) ? first : data.at;
    if ('teamId' in data) {
      const event = createEvent(teamStream, id, 'TeamAliasChanged', { ...data, at, teamId: id });
      stageAgain(states, teamDecider, id, [event], recordedAt);
    } else {
      const event = createEvent(playerStream, id, 'PlayerAliasChanged', { ...data, at, playerId: id });
      stageAgain(states, playerDecider, id, [event], recordedAt);
    }
  }

  async #reportInjury(record: RecordOfType<'InjuryReported'>, next: DomainRecord | undefined): Promise<void> {
    const { data, recordedAt } = record;
    const { teamId, sport, at, source, content, origin } = data;
    const key = nameInStream(record);
    // Who the player was is recorded behind the first report of which it was known.
    const isIdentified = next?.type === 'InjuredPlayerIdentified' && next.data.player === data.player;
    const team = this.#parts.entryOf('team', sport, {
      ...{ id: teamId, source },
      ...{ ref: origin.team_ref, name: origin.team },
    });
    const name = normalizeName(content.player);
    // Of another spelling of the team, the name may be known already.
    const known = (await this.#parts.states.get(injuriesDecider, team)).get(`n:${name}`)?.identified?.id;
    const player = isIdentified ? next.data.playerId : (this.#identified.get(key) ?? known);
    const command: InjuryCommand = {
      ...{ teamId: team, sport, at, source, content, origin },
      name,
      identified: player === undefined ? null : await this.#knownPlayer(player, team, data),
    };
    this.#lastReports.set(key, { team, command });
    if (player !== undefined && !command.identified)
      this.#unidentified.set(key, { team, command, player, report: record });
    await this.#decideInjury(team, command, recordedAt);
  }

  /** The directory knew the player at a repeated report, which is not recorded itself. */
  async #identify(record: RecordOfType<'InjuredPlayerIdentified'>): Promise<void> {
    const last = this.#lastReports.get(nameInStream(record));
    if (!last) return;
    const { team, command } = last;
    const { playerId } = record.data;
    const identified = await this.#knownPlayer(playerId, team, command);
    await this.#decideInjury(team, { ...command, identified }, record.recordedAt);
  }

  async #knownPlayer(
    id: number,
    team: number,
    { sport, content, source, origin }: Pick<InjuryCommand, 'sport' | 'content' | 'source' | 'origin'>,
  ): Promise<InjuryCommand['identified']> {
    const { entryOf, states } = this.#parts;
    const meant = entryOf('player', sport, { id, source, ref: origin.player_ref, name: content.player });
    const state = await states.get(playerDecider, meant);
    // He was known as another player, and nobody has told of him before.
    if (state.sport === undefined && this.has('player', meant)) return null;
    const ofTeam = state.current?.facts.team_id;
    // By name, a player of another team is another player. Those that are not replayed are known as they are now.
    const isOther = origin.player_ref === undefined && ofTeam !== undefined && ofTeam !== team;
    if (isOther && this.has('player', meant)) return null;
    return { id: meant, at: firstKnownAt<object, unknown>(state) };
  }

  async #decideInjury(team: number, command: InjuryCommand, firstRecordedAt: string): Promise<void> {
    if (this.has('team', team)) await decideAgain(this.#parts.states, injuriesDecider, team, command, firstRecordedAt);
  }
}

/** The next record of the same stream in the page: what one message brought lies in one page. */
function nextOfStream(page: readonly DomainRecord[], index: number): DomainRecord | undefined {
  const { stream } = page[index]!;
  return page.find((record, place) => place > index && record.stream === stream);
}

const nameInStream = ({ stream, data }: RecordOfType<'InjuryReported' | 'InjuredPlayerIdentified'>): string =>
  `${stream}|${data.player}`;
