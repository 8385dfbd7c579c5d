import { commandText } from '../../platform/command-text.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { type Arguments, CommandError, UsageError } from './arguments.ts';
import { idOf, subjectOf } from './identity-arguments.ts';
import { inPages, printRows } from './identity-tables.ts';

export type ReadingName = 'waiting' | 'duplicates' | 'show' | 'history';

/** Prints what a reading action asks for. @throws UsageError */
export async function readIdentities(args: Arguments, action: ReadingName, given: readonly string[]): Promise<number> {
  const print = await printerOf(action, given, args);
  const { commandTarget } = await import('./command-target.ts');
  const { openReading } = await import('./open-reading.ts');
  const engines = ['event-log', 'read-store', 'registry'] as const;
  const parts = await openReading(await commandTarget(args.dataDir, { command: 'identities', engines }));
  try {
    await print(parts);
    return 0;
  } finally {
    await parts.close();
  }
}

const NO_READ_MODELS = `the read models are not built yet: start the server, or run ${commandText('rebuild')}`;

/** Chooses what to print. @throws UsageError */
async function printerOf(
  action: ReadingName,
  given: readonly string[],
  args: Arguments,
): Promise<(parts: ReadPorts) => Promise<void>> {
  const asJson = args.flag('json') || !process.stdout.isTTY;
  const league = args.text('league');
  if (league !== undefined) {
    const { findLeague } = await import('../../domain/catalogue/catalogue.ts');
    if (!findLeague(league)) throw new UsageError(`there is no league ${league}`);
  }
  switch (action) {
    case 'waiting': {
      const asked = askedMessages(args);
      if (asked) return async (parts) => printMessages(parts, asked, asJson);
      const { QUARANTINE_CODES, isQuarantineCode } = await import('../../ingest/identities/quarantine-reasons.ts');
      const [source, reason] = [args.text('source'), args.text('reason')];
      if (reason !== undefined && !isQuarantineCode(reason)) {
        throw new UsageError(`there is no reason ${reason}; there are ${QUARANTINE_CODES.join(', ')}`);
      }
      const { eachWaiting } = await import('../mending/waiting-rows.ts');
      const { documentsFromLog } = await import('../mending/documents-from-log.ts');
      const { teamNamesIndex } = await import('../../../projections/directory/team-names.ts');
      return async ({ log, identities: read, store }) => {
        // A folder in which no server ran yet has no directory to look names up in.
        const isBuilt = await store.find(teamNamesIndex.name, { limit: 1 }).then(
          () => true,
          () => false,
        );
        const parts = { identities: read, store: documentsFromLog(log), directory: isBuilt ? store : undefined };
        await printRows('waiting', eachWaiting(parts, { source, reason, league }), asJson);
      };
    }
    case 'duplicates': {
      const { findDuplicates } = await import('../mending/duplicates.ts');
      const { events } = await import('../../../projections/sports-events/events.ts');
      return async (parts) => {
        await parts.store.find(events.name, { limit: 1 }).catch((error: Error) => {
          throw error.message.endsWith('has no build') ? new CommandError(NO_READ_MODELS) : error;
        });
        await warnIfBehind(parts);
        const { identities: read, store, log } = parts;
        const pairs = findDuplicates({ identities: read, store, replacements: log.replacements }, league);
        await printRows('duplicates', inPages(pairs), asJson);
      };
    }
    case 'show': {
      const [what, id] = [subjectOf(given[0]!), idOf(given[1]!)];
      const { showThing } = await import('../mending/thing-rows.ts');
      const { readActs } = await import('../mending/act-rows.ts');
      const { documentsFromLog } = await import('../mending/documents-from-log.ts');
      return async ({ log, identities: read }) => {
        const parts = { identities: read, store: documentsFromLog(log), replacements: log.replacements };
        const shown = await showThing(parts, what, id, await readActs(log));
        if (!shown) throw new CommandError(`nothing is known of ${what} ${id}`);
        if (shown.asked !== null) say(`event ${shown.asked} was merged into event ${shown.id}`);
        await printRows('show', inPages([shown]), asJson);
      };
    }
    default: {
      const { newestActs, readActs } = await import('../mending/act-rows.ts');
      const { withTargets } = await import('../mending/act-targets.ts');
      const { documentsFromLog } = await import('../mending/documents-from-log.ts');
      return async ({ log }) => {
        const acts = await readActs(log);
        const parts = { store: documentsFromLog(log), replacements: log.replacements };
        const rows = withTargets(parts, acts, newestActs(acts, null, Number.POSITIVE_INFINITY));
        await printRows('history', inPages(rows), asJson);
      };
    }
  }
}

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** Pairs are looked for in the read models: what the log has beyond them is not among the rows. */
async function warnIfBehind(parts: ReadPorts): Promise<void> {
  // The processes of a cluster keep its read models up to date.
  if ('checkpoints' in parts.store) return;
  const { readModelsBehind } = await import('../mending/read-models-behind.ts');
  const { projections } = await import('../../../projections/index.ts');
  const searched = projections.filter(({ name }) => SEARCHED.has(name));
  const { records, isMore } = await readModelsBehind(parts, searched);
  if (records === 0) return;
  const many = records === 1 ? '1 record' : `${isMore ? 'more than ' : ''}${records} records`;
  say(`the read models lack ${many} of the log: what was told and mended since is not among these pairs.`);
  say(`Start the server, or run ${commandText('rebuild')}, and ask again`);
}

const SEARCHED: ReadonlySet<string> = new Set(['events', 'teams', 'players']);

interface AskedMessages {
  /** A group, or the act that has dismissed them; absent: the acts that have dismissed something. */
  readonly of: string | { readonly act: number } | undefined;
  readonly limit: number;
}

const SHOWN_MESSAGES = 100;
const MOST_MESSAGES = 100_000;

/** What `waiting` asks for with `--id` or `--dismissed`. @throws UsageError */
function askedMessages(args: Arguments): AskedMessages | undefined {
  const [id, limit, dismissed] = [args.text('id'), args.text('limit'), args.flag('dismissed')];
  if (limit !== undefined && id === undefined) throw new UsageError('--limit goes with --id');
  if (id === undefined && !dismissed) return undefined;
  for (const name of ['source', 'reason', 'league']) {
    if (args.text(name) !== undefined) throw new UsageError(`--${name} does not go with --id or --dismissed`);
  }
  const most = limit === undefined ? SHOWN_MESSAGES : /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > MOST_MESSAGES) throw new UsageError(`--limit is a whole number from 1 to ${MOST_MESSAGES}`);
  return { of: dismissed && id !== undefined ? { act: idOf(id) } : id, limit: most };
}

async function printMessages(parts: ReadPorts, { of, limit }: AskedMessages, asJson: boolean): Promise<void> {
  const { dismissedRows, messageRows } = await import('../mending/waiting-messages.ts');
  if (of === undefined) {
    const { readActs } = await import('../mending/act-rows.ts');
    return printRows('dismissed', inPages(await dismissedRows(parts.identities, await readActs(parts.log))), asJson);
  }
  const rows = await messageRows(parts.identities, of, limit + 1);
  const name = typeof of === 'string' ? `in the group ${of}` : `by the end of act ${of.act}`;
  if (rows.length === 0) throw new CommandError(`no message waits ${name}`);
  await printRows('messages', inPages(rows.slice(0, limit)), asJson);
  if (rows.length > limit) say(`there are more: --limit N lists more than ${limit}`);
}
