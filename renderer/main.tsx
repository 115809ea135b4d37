import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/parts.css';
import './styles/floating.css';
import './styles/chat.css';
import './styles/first-run.css';
import './styles/settings.css';
import './styles/memory.css';
import './styles/inbox.css';
import './styles/tasks.css';
import './styles/timeline.css';
import './styles/audit.css';
import './styles/palette.css';
import './styles/quick.css';
import './styles/narrow.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { startConnection } from './connection/index.ts';
import { takeEarlyView } from './early-view.ts';
import { App } from './shell/app.tsx';
import { applyTheme, rememberedTheme } from './shell/theme.ts';

applyTheme(rememberedTheme());
startConnection();
const root = document.getElementById('root');
if (root) {
	takeEarlyView();
	flushSync(() => createRoot(root).render(<App />));
}
