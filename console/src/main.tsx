import './style/style.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router.ts';
import { readSession, watchSession } from './session.ts';
import { applyTheme } from './theme.ts';

applyTheme();
followLinks();
watchSession();
void readSession();
render(<App />, document.body);
