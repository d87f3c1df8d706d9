// The explorer: what a person sees of the ledger in a browser.
import { render } from 'preact';
import { App } from './app.tsx';
import { watchExpiry } from './state/expiry.ts';
import { showUnseenText } from './text/shownText.ts';
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/page.css';
import './styles/records.css';
import './styles/timeline.css';
import './styles/forms.css';
import './styles/admin.css';

showUnseenText();
watchExpiry();
render(<App />, document.getElementById('app')!);
