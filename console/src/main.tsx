import {render} from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/table.css';
import './styles/charts.css';
import './styles/shell.css';
import {startEvents} from './api/events';
import {App} from './app';
import {startShortcuts} from './shell/shortcuts';
import {followTheme} from './state/prefs';
import {followLinks} from './state/route';
import {resume} from './state/session';

followTheme();
followLinks();
startShortcuts();
void resume().then(startEvents);
render(<App />, document.getElementById('app')!);
