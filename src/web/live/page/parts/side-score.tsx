import type { BoardSide } from '../../live-answers.ts';

interface Props {
  readonly side: BoardSide;
  /** When it last changed, while that is marked. */
  readonly changedAt: number | null;
}

/** One side's score; a new one lights up for a moment. */
export function SideScore({ side, changedAt }: Props) {
  const won = side.is_winner === true;
  return (
    <span class={won ? 'side-score side-won' : 'side-score'}>
      {side.game_score !== null && <span class="game-score">{side.game_score}</span>}
      {side.score !== null && <span class="hidden-text">{side.name} </span>}
      <span key={changedAt ?? 'still'} class={changedAt === null ? 'score' : 'score score-changed'}>
        {side.score ?? ''}
      </span>
      <span class="won-mark" title={won ? 'Winner' : undefined}>
        {won && (
          <>
            <svg viewBox="0 0 8 10" width="7" height="9" aria-hidden="true">
              <path d="M8 0v10L0 5z" />
            </svg>
            <span class="hidden-text"> winner</span>
          </>
        )}
      </span>
    </span>
  );
}
