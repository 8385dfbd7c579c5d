import './styles/base.css';
import './styles/page-tools.css';
import './styles/board.css';
import './styles/odds-screen.css';
import './styles/price-history.css';
import { render } from 'preact';
import { PageTools } from './components/page-tools.tsx';
import { moveByArrows } from './odds-screen/cell-keys.ts';
import { connection, startLiveScreen } from './odds-screen/live-screen.ts';
import { openHistories } from './odds-screen/price-dialog.ts';
import { applyFiltersAtOnce } from './odds-screen/screen-filters.ts';

const tools = document.querySelector('.page-tools');
if (tools) render(<PageTools connection={connection} />, tools);
const screen = document.getElementById('screen');
if (screen) {
  applyFiltersAtOnce();
  moveByArrows(screen);
  openHistories(screen);
  startLiveScreen(screen);
}
