import { MINUTE } from '../../../../src/domain/primitives/time.ts';
import type { World } from '../world.ts';
import type { Settings } from './settings.ts';

/** When the world begins. */
export const EPOCH = Date.parse('2026-09-11T00:00:00Z');

const about = { sport: 'nfl', league: 'nfl' };

/** The third game is the first one again, four days later. */
export const GAMES = [
  { ref: 'g1', starts_at: '2026-09-10T18:00:00Z', home: 'Chiefs', away: 'Bills' },
  { ref: 'g2', starts_at: '2026-09-10T18:00:00Z', home: 'Bears', away: 'Lions' },
  { ref: 'g3', starts_at: '2026-09-14T18:00:00Z', home: 'Bills', away: 'Chiefs' },
] as const;
export const SOURCES = ['a', 'b'] as const;

export interface Told {
  readonly kind: 'schedule' | 'score' | 'odds' | 'injury';
  readonly source: string;
  /** Of no two messages the same: it tells which record a message became. */
  readonly at: string;
  /** Ref of the game, whatever the source calls it. */
  readonly game: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** What sources tell of the same games, in any order: scores and odds often before anybody has told of the game. */
export function messagesOf({ random }: World, { games, messages }: Settings): Told[] {
  const told: Told[] = [];
  const tell = (kind: Told['kind'], source: string, game: string, more: object): void => {
    const at = new Date(EPOCH - 6 * 60 * MINUTE + told.length * MINUTE).toISOString();
    told.push({ kind, source, at, game, message: { kind, source, at, ...more } });
  };
  const played = GAMES.slice(0, games);
  for (const source of SOURCES) {
    for (const { ref, starts_at, home, away } of played) {
      const participants = [
        { role: 'home', name: home, ref: `${source}-${home}` },
        { role: 'away', name: away, ref: `${source}-${away}` },
      ];
      tell('schedule', source, ref, { ...about, ref: `${source}-${ref}`, starts_at, participants });
    }
  }
  while (told.length < messages) {
    const source = random.pick(SOURCES);
    const { ref, starts_at, home, away } = random.pick(played);
    const scores = [{ role: 'home', score: String(random.below(3)) }];
    switch (random.below(5)) {
      case 0: {
        const by = { ref: `m-${ref}`, match: { ...about, starts_at, home, away } };
        tell('score', `${source}-by-match`, ref, { ...by, status: 'inprogress', scores });
        break;
      }
      case 1: {
        const outcomes = [{ outcome: 'home', price: random.pick([-110, 120, 150]) }];
        const bookmaker = random.pick(['left', 'right']);
        tell('odds', source, ref, { ref: `${source}-${ref}`, bookmaker, markets: [{ key: 'h2h', outcomes }] });
        break;
      }
      case 2:
        // Of a player whom nobody will ever know: it waits for its team, is taken up, and waits on for its player.
        tell('injury', `${source}-news`, ref, { ...about, team: home, player: `Nobody ${told.length}`, status: 'out' });
        break;
      default:
        tell('score', source, ref, { ref: `${source}-${ref}`, status: 'inprogress', scores });
    }
  }
  // A feed sends again what it has sent: `told` holds each once.
  return told
    .map((one) => ({ one, order: random.below(1000) }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
}
