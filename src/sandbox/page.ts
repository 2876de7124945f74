import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../kernel/text/html.ts';
import type { TravellingClock } from '../kernel/time/time.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#b45309" stroke-width="1.5"><path d="M2 6h12l-1.5 8h-9z"/><path d="M5 6l2-4M11 6L9 2"/></svg>';

/** Adds the icon at the path that browsers request on their own. */
export function addIcon(app: FastifyInstance): void {
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(ICON));
}

/** The pages, which link to each other. */
export const PAGES = [
  { path: '/', name: 'Sandbox', about: 'this page' },
  { path: '/mailbox', name: 'Mailbox', about: 'every e-mail that the platform sends' },
  { path: '/push', name: 'Pushes', about: 'every push, to phones and browsers' },
  {
    path: '/account',
    name: 'Account',
    about: 'one’s own account: second factors, passkeys, sessions',
  },
  { path: '/chat', name: 'Chat', about: 'the live channel: open it in two windows' },
  { path: '/video', name: 'Video', about: 'courses and lessons: upload a video and watch it' },
  {
    path: '/webhooks',
    name: 'Webhooks',
    about: 'a receiver of outgoing webhooks, which verifies and shows them',
  },
  {
    path: '/charting',
    name: 'Charting',
    about: 'who has access to which indicator at the charting platform',
  },
  { path: '/control', name: 'Controls', about: 'how to make a stand-in fail, hang or change' },
] as const;

const COLOURS = `:root { color-scheme: light dark; --line: light-dark(#d1d5db, #4b5563); --muted: light-dark(#4b5563, #cbd5e1); --link: light-dark(#1d4ed8, #93c5fd) }
nav.pages { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .6rem 1rem; font-size: .9rem; background: light-dark(#fff, #1f2937); border-bottom: 1px solid var(--line) }
nav.pages a { color: var(--link); text-decoration: none; padding: .15rem 0 } nav.pages a:hover { text-decoration: underline }
nav.pages a[aria-current] { color: inherit; font-weight: 600 }`;

/** Returns the links to the other pages. */
function navigation(path: string): string {
  const links = PAGES.map(
    (page) => `<a href="${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${page.name}</a>`,
  );
  return `<nav class="pages" aria-label="Sandbox">${links.join('')}</nav>`;
}

const STYLE = `${COLOURS}
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: light-dark(#1f2937, #f3f4f6); background: light-dark(#fff, #111827) }
main { margin: 1.5rem auto; max-width: 46rem; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } a { color: var(--link) } small { color: var(--muted) }`;

interface PageParts {
  title: string;
  /** The path of the page, if the navigation links to it. */
  path?: (typeof PAGES)[number]['path'];
  style?: string;
  /** HTML of the main part. */
  main: string;
}

/** Returns an HTML page of the sandbox. */
export const sandboxPage = ({ title, path, style = '', main }: PageParts): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">
<style>
${STYLE}
${style}
</style></head><body>${navigation(path ?? '')}<main>
${main}
</main></body></html>`;

/** Values for pages that call the API. */
export interface Prefill {
  url: string;
  key: string;
  /** The member to sign in as. */
  member?: { email: string; password: string } | undefined;
}

/** Fills a page that has a sign-in form: links to other pages, the API and the member to sign in as. */
function filledPage(html: string, path: string, { url, key, member }: Prefill): string {
  const { email = '', password = '' } = member ?? {};
  return html
    .replace('<style>', () => `<style>\n${COLOURS}`)
    .replace(
      '<body data-api="" data-key="">',
      () => `<body data-api="${escapeHtml(url)}" data-key="${escapeHtml(key)}">${navigation(path)}`,
    )
    .replace('id="email"', () => `id="email" value="${escapeHtml(email)}"`)
    .replace('id="password"', () => `id="password" value="${escapeHtml(password)}"`);
}

interface PageFiles {
  path: (typeof PAGES)[number]['path'];
  /** The `import.meta.url` of a file beside `page.html` and the scripts. */
  beside: string;
  /** Served below the path of the page. */
  scripts: string[];
  api: () => Prefill;
}

/** Adds a page that has a sign-in form, and its scripts. */
export function addFilledPage(app: FastifyInstance, { path, beside, scripts, api }: PageFiles): void {
  const read = (name: string): string => readFileSync(new URL(name, beside), 'utf8');
  const page = read('page.html');
  app.get(path, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(filledPage(page, path, api())),
  );
  for (const name of scripts) {
    const script = read(name);
    app.get(`${path}/${name}`, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    );
  }
}

/** Adds the page that lists the others. */
export function addIndex(app: FastifyInstance, api: () => Prefill, clock: TravellingClock): void {
  app.get('/', async (_request, reply) => {
    const { url, member } = api();
    const items = PAGES.slice(1).map(
      ({ path, name, about }) => `<li><a href="${path}">${name}</a>: ${about}</li>`,
    );
    const whom = member
      ? `<p>Account, chat and video suggest signing in as <b>${escapeHtml(member.email)}</b>.
<code>npm run platform -- seed</code> adds members, courses and more.</p>`
      : '';
    const main = `<h1>Sandbox</h1>
<p>Local stand-ins for the systems around the platform: payments, mail, push, storage, prices, the charting platform and the
backoffice. They speak the real protocols; no money moves, and nothing leaves this machine.</p>
<ul>${items.join('\n')}</ul>
<p>The time is ${clock.date().toUTCString()}${clock.offsetMs() > 0 ? ', ahead of the real one' : ''}; <a href="/control">a control</a> moves it on.</p>
<p>A checkout opens from the payment link that buying Keys returns.</p>
${whom}
${url ? `<p>The API: <a href="${escapeHtml(url)}/">${escapeHtml(url)}</a>, with its <a href="${escapeHtml(url)}/reference">reference</a>.</p>` : ''}`;
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(sandboxPage({ title: 'Sandbox', path: '/', main }));
  });
}
