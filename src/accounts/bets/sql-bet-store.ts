import type { Generated, Kysely, Selectable } from 'kysely';
import type { NewBet, OwnBet } from '../../api/calls/services/bet-services.ts';
import type { LegSide } from '../../domain/grading/leg.ts';
import type { LegScope } from '../../domain/grading/leg-scope.ts';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { addMissingColumns, type LaterColumns, withColumns } from '../../platform/sqlite/schema-upgrades.ts';
import type { BetStore } from './bet-store.ts';

interface BetTable {
  id: Generated<number>;
  account_id: number;
  sport: string;
  event_id: number;
  market_key: string;
  side: string;
  line: number | null;
  player_id: number | null;
  team_id: number | null;
  /** Null: the whole event. */
  scope: string | null;
  price: number;
  /** Null: given in American odds, as all bets once were. */
  decimal_price: number | null;
  stake: number;
  book: string;
  /** Milliseconds. */
  placed_at: number;
  /** Milliseconds. */
  created_at: number;
  run: string | null;
}

export interface BetTables {
  bets: BetTable;
}

const LATER_COLUMNS: LaterColumns = { scope: 'text', decimal_price: 'real' };

export async function createBetTables(db: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { schema } = db;
  const { integer, real, id } = dialect.types;
  await schema
    .createTable('bets')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('sport', 'text', (column) => column.notNull())
    .addColumn('event_id', integer, (column) => column.notNull())
    .addColumn('market_key', 'text', (column) => column.notNull())
    .addColumn('side', 'text', (column) => column.notNull())
    .addColumn('line', real)
    .addColumn('player_id', integer)
    .addColumn('team_id', integer)
    .addColumn('price', integer, (column) => column.notNull())
    .addColumn('stake', real, (column) => column.notNull())
    .addColumn('book', 'text', (column) => column.notNull())
    .addColumn('placed_at', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('run', 'text')
    .$call(withColumns(dialect === SQLITE ? LATER_COLUMNS : {}))
    .execute();
  if (dialect === SQLITE) await addMissingColumns(db, 'bets', LATER_COLUMNS);
  await schema.createIndex('bets_by_account').ifNotExists().on('bets').columns(['account_id', 'id']).execute();
}

export async function addBetScope({ schema }: Kysely<any>): Promise<void> {
  await schema.alterTable('bets').addColumn('scope', 'text').execute();
}

export async function addDecimalPrice({ schema }: Kysely<any>): Promise<void> {
  await schema.alterTable('bets').addColumn('decimal_price', 'double precision').execute();
}

export function createSqlBetStore(
  database: Kysely<any>,
  runner: Pick<QueryRunner, 'transact'>,
  dialect: SqlDialect,
): BetStore {
  const db = database as Kysely<BetTables>;

  function* addSteps(
    { accountId, bets, createdAt, run }: Parameters<BetStore['add']>[0],
    most: number,
  ): QuerySteps<readonly number[] | undefined> {
    yield dialect.lock(`bets ${accountId}`);
    const own = db.selectFrom('bets').where('account_id', '=', accountId);
    if (run !== null) {
      const before = yield* queryRows(own.select('id').where('run', '=', run).orderBy('id'));
      if (before.length > 0) return before.map(({ id }) => id);
    }
    const [counted] = yield* queryRows(own.select(({ fn }) => fn.countAll<number>().as('number')));
    if (Number(counted!.number) + bets.length > most) return undefined;
    const rows = bets.map((bet) => ({ ...toRow(bet), account_id: accountId, created_at: createdAt, run }));
    const added = yield* queryRows(db.insertInto('bets').values(rows).returning('id'));
    // Ids grow in the order of the rows; the order of what is returned is not promised.
    return added.map(({ id }) => id).sort((a, b) => a - b);
  }

  return {
    add: (added, most) => runner.transact(() => addSteps(added, most)),
    async list(accountId, { afterId, from, to, sports, limit }) {
      if (sports?.length === 0) return [];
      let rows = db.selectFrom('bets').selectAll().where('account_id', '=', accountId);
      if (afterId !== undefined) rows = rows.where('id', '<', afterId);
      if (from !== undefined) rows = rows.where('placed_at', '>=', from);
      if (to !== undefined) rows = rows.where('placed_at', '<', to);
      if (sports !== undefined) rows = rows.where('sport', 'in', sports);
      return (await rows.orderBy('id', 'desc').limit(limit).execute()).map(toBet);
    },
    async lastId() {
      const { rows } = await dialect.lastId('bets').execute(db);
      return Number(rows[0]?.seq ?? 0);
    },
    async remove(id, accountId, sports) {
      if (sports?.length === 0) return false;
      let own = db.deleteFrom('bets').where('id', '=', id).where('account_id', '=', accountId);
      if (sports !== undefined) own = own.where('sport', 'in', sports);
      return (await own.returning('id').executeTakeFirst()) !== undefined;
    },
    async removeAll(accountId) {
      await db.deleteFrom('bets').where('account_id', '=', accountId).execute();
    },
  };
}

const toRow = ({ leg, sport, price, decimal, stake, book, placedAt }: NewBet) => ({
  sport,
  event_id: leg.event_id,
  market_key: leg.market_key,
  side: leg.side,
  line: leg.line,
  player_id: leg.player_id,
  team_id: leg.team_id,
  scope: leg.scope ?? null,
  price,
  decimal_price: decimal,
  stake,
  book,
  placed_at: placedAt,
});

const toBet = (row: Selectable<BetTable>): OwnBet => ({
  id: row.id,
  leg: {
    event_id: row.event_id,
    market_key: row.market_key,
    side: row.side as LegSide,
    line: row.line,
    player_id: row.player_id,
    team_id: row.team_id,
    ...(row.scope === null ? {} : { scope: row.scope as LegScope }),
  },
  sport: row.sport,
  price: row.price,
  decimal: row.decimal_price,
  stake: row.stake,
  book: row.book,
  placedAt: row.placed_at,
  createdAt: row.created_at,
});
