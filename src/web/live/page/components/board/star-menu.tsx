import { useSignal } from '@preact/signals';
import type { BoardEvent } from '../../../answers/live-page-answers.ts';
import { favourites, toggleFavourite } from '../../stores/preferences.ts';
import { hasStar, isFavourite, starsOf } from '../../view-model/favourites.ts';

interface Props {
  readonly event: BoardEvent;
  readonly league: string;
}

/** A star that opens what can be starred of an event: itself, its sides, and its league. */
export function StarMenu({ event, league }: Props) {
  const isOn = isFavourite(favourites.value, event);
  // Each row has such a menu, and hardly one is ever opened: the others hold nothing.
  const isOpen = useSignal(false);
  // Before the menu opens, so that the next Tab leads into it.
  const fill = () => {
    isOpen.value = true;
  };
  return (
    <details
      class={isOn ? 'star star-on' : 'star'}
      name="star"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button, and takes the keyboard as one */}
      <summary onClick={fill}>
        <StarShape />
        <span class="hidden-text">
          {isOn ? 'Favourite: ' : 'Make a favourite of '}
          {event.name}
        </span>
      </summary>
      <ul class="star-menu">
        {isOpen.value &&
          starsOf(event, league).map((star) => (
            <li key={`${star.kind}/${star.key}`}>
              <button
                type="button"
                aria-pressed={hasStar(favourites.value, star)}
                onClick={() => toggleFavourite(star)}
              >
                <StarShape />
                {star.name}
              </button>
            </li>
          ))}
      </ul>
    </details>
  );
}

const StarShape = () => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d="M8 1.6l1.9 4.1 4.5.5-3.3 3 .9 4.4L8 11.4l-4 2.2.9-4.4-3.3-3 4.5-.5z" />
  </svg>
);
