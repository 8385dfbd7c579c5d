import { chooseLook, look } from '../live/preferences.ts';

/** From the look that shows to the other one. */
export function LookToggle() {
  const other = look.value === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="tool" onClick={() => chooseLook(other)} title={`Switch to the ${other} look`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle class="look-ring" cx="8" cy="8" r="6" />
        <path class="look-half" d="M8 2a6 6 0 0 1 0 12z" />
      </svg>
      <span class="hidden-text">Switch to the {other} look</span>
    </button>
  );
}
