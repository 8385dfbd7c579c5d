import { chooseOddsFormat, oddsFormat } from '../live/preferences.ts';

/** From American to decimal prices and back; it shows how one price is written now. */
export function OddsToggle() {
  const other = oddsFormat.value === 'american' ? 'decimal' : 'american';
  return (
    <button type="button" class="tool" onClick={() => chooseOddsFormat(other)} title={`Show ${other} odds`}>
      <span aria-hidden="true">
        <span class="tool-name">Odds </span>
        {oddsFormat.value === 'american' ? '+150' : '2.50'}
      </span>
      <span class="hidden-text">Show {other} odds</span>
    </button>
  );
}
