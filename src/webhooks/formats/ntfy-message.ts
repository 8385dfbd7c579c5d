import type { AlertText } from './alert.ts';
import { clipText, inBytes } from './clip-text.ts';
import { encodeHeaderText } from './header-text.ts';

/** Bytes. A longer message would become an attachment: https://docs.ntfy.sh/publish/#limitations */
const MAX_MESSAGE = 4096;
const MAX_TITLE = 250;

/** The names of emojis of ntfy, by type. */
const TAGS: Readonly<Partial<Record<AlertText['type'], string>>> = {
  score: 'trophy',
  status: 'information_source',
  event_start: 'arrow_forward',
  event_final: 'checkered_flag',
  line_move: 'chart_with_upwards_trend',
  steam: 'fire',
  new_price: 'new',
  ev: 'moneybag',
  arbitrage: 'scales',
  intelligence: 'bulb',
  injury: 'ambulance',
  identity: 'pencil2',
  test: 'white_check_mark',
};

/** The headers and the text for a topic of ntfy. */
export const ntfyMessage = ({ title, lines, link, type, isUrgent }: AlertText) => ({
  headers: {
    Title: encodeHeaderText(clipText(title, MAX_TITLE, inBytes)),
    Priority: isUrgent ? '4' : '3',
    Tags: TAGS[type] ?? 'bell',
    Click: link,
  },
  body: clipText(lines.join('\n'), MAX_MESSAGE, inBytes),
});
