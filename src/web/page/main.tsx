import { render } from 'preact';

render(<p>Ledgerline</p>, document.getElementById('page')!);
