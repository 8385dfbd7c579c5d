import './styles/tokens.css';
import './styles/base.css';
import './styles/top-bar.css';
import './styles/board.css';
import './styles/event-row.css';
import './styles/market-cell.css';
import './styles/event.css';
import './styles/tables.css';
import './styles/chart.css';
import { render } from 'preact';
import { startFading } from './live/board-store.ts';
import { listenToKeys } from './live/keys.ts';
import { applyLook } from './live/preferences.ts';
import { App } from './parts/app.tsx';

applyLook();
listenToKeys();
startFading();
render(<App />, document.getElementById('page')!);
