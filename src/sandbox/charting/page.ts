import { escapeHtml } from '../../kernel/text/html.ts';
import { sandboxPage } from '../page.ts';
import type { ChartingState } from './state.ts';

const STYLE = `table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .4rem; border-bottom: 1px solid var(--line) }`;

/** Returns the page "Manage access", which lists the holders of each script. */
export function chartingPage(state: ChartingState): string {
  const rows = Object.entries(state.holders()).flatMap(([pineId, names]) =>
    names.map((name) => `<tr><td>${escapeHtml(pineId)}</td><td>${escapeHtml(name)}</td></tr>`),
  );
  const table =
    rows.length > 0
      ? `<table><tr><th>Script</th><th>Who has access</th></tr>${rows.join('')}</table>`
      : '<p>No one has access to any script yet.</p>';
  return sandboxPage({
    title: 'Charting platform',
    path: '/charting',
    style: STYLE,
    main: `<h1>Manage access</h1><p>Mode: ${escapeHtml(state.mode())}</p>${table}`,
  });
}
