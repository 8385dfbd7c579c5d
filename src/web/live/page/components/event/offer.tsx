import { oddsFormat } from '../../stores/preferences.ts';
import { formatPrice } from '../../view-model/odds-format.ts';
import type { BestOffer } from '../../view-model/offered-lines.ts';

interface Props {
  readonly offer: BestOffer;
  /** Names by slug. */
  readonly bookmakers: Readonly<Record<string, string>>;
}

/** The best price, and the bookmakers that offer it. */
export function Offer({ offer, bookmakers }: Props) {
  const [first, ...others] = offer.slugs.map((slug) => bookmakers[slug] ?? slug);
  return (
    <>
      <span class="price">{formatPrice(offer.price, oddsFormat.value)}</span>
      <span class="offer-book">
        {first}
        {others.length > 0 && ` +${others.length}`}
      </span>
    </>
  );
}
