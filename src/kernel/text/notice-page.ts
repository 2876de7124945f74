import { escapeHtml } from './html.ts';

/**
 * Returns a small HTML page with a title and some content, with a light and a dark theme, for links in mails.
 * @param content HTML
 */
export const noticePage = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<style>
  :root { --page: #f3f4f6; --card: #fff; --text: #111827; --small: #4b5563; --button: #1d4ed8 }
  @media (prefers-color-scheme: dark) {
    :root { --page: #111827; --card: #1f2937; --text: #f9fafb; --small: #d1d5db; --button: #1d4ed8 }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text);
    font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
  main { max-width: 28rem; margin: 1rem; padding: 2rem; background: var(--card); border-radius: .75rem }
  h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3 } p { margin: 0 0 1.25rem }
  button { padding: .75rem 1.5rem; border: 0; border-radius: .5rem; background: var(--button); color: #fff; font: inherit;
    font-weight: 600; cursor: pointer }
  button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
  small { color: var(--small) } main > :last-child { margin-bottom: 0 }
</style></head><body><main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>`;
