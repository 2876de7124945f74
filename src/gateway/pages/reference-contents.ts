import { createHash } from 'node:crypto';
import { escapeHtml } from '../../kernel/text/html.ts';
import { ICON } from '../icon.ts';
import { htmlOfMarkdown, markedUp, slugOf } from './marked-up.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/** The part of the description that the page uses. */
interface Described {
  info: { description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  tags: string[];
  summary: string;
  deprecated?: boolean;
  'x-audience'?: string[];
}

interface Entry extends Operation {
  method: string;
  path: string;
}

export const INTERACTIVE = '/reference/interactive';

/** Leads the viewer's addresses, which people have kept from the time when it was at this address, to the viewer. */
const SCRIPT = `if(/^#(?:(tag|models?|webhook|description)\\/|models$)/.test(location.hash))location.replace('${INTERACTIVE}'+location.hash)`;

/** The page runs this one script. */
export const CONTENTS_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'none'",
].join('; ');

const STYLE = `
.first{display:inline-block;padding:.5rem 1rem;border:1px solid var(--link);border-radius:.375rem;font-weight:600}
.operations{list-style:none;margin:0;padding:0}.operations li{padding:.4rem 0;border-bottom:1px solid var(--line)}
.operations b{display:inline-block;min-width:4rem;font:600 .8rem ui-monospace,monospace}.operations small{color:var(--small)}
.operations a,.operations b{text-decoration:none}.operations a code{text-decoration:underline}.operations span{display:block}
@media(max-width:50rem){nav li{display:inline-block;margin-right:.9rem}}`;

/**
 * Returns the first page of the reference, without its viewer: how to begin, and every operation by its section, each
 * linked to its place in the viewer.
 */
export function referenceContentsOf(description: object): string {
  const { info, tags, paths } = description as Described;
  const [introduction = '', ...rest] = info.description.split(/\n(?=# )/);
  const guides = rest.map((guide) => guide.slice(2, guide.indexOf('\n')));
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const sections = tags
    .map((tag) => ({
      ...tag,
      id: slugOf(tag.name),
      entries: entries.filter((one) => one.tags[0] === tag.name),
    }))
    .filter((section) => section.entries.length > 0);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Platform API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${ICON}">
<meta name="description" content="How to begin with the Platform API, and all its operations">
<script>${SCRIPT}</script><style>${REFERENCE_STYLE}${STYLE}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents"><a href="${INTERACTIVE}">The interactive reference</a>
<ul>${guides.map(linkTo).join('\n')}</ul>
<h2>Operations</h2><ul>${sections.map(({ name }) => linkTo(name)).join('\n')}</ul>
<h2>More</h2><ul><li><a href="/reference/live">The live channel</a></li><li><a href="/openapi.json">OpenAPI description</a></li></ul></nav>
<main id="content"><h1>Platform API</h1>
${htmlOfMarkdown(introduction)}
<p><a class="first" href="${INTERACTIVE}">Open the interactive reference</a></p>
<p>It has the parameters, bodies, responses and codes of each operation, samples in TypeScript and curl, and sends requests. Each
operation below is a link to its place there; it is for members, unless its line names others. The viewer is a megabyte, which a browser loads once.</p>
${htmlOfMarkdown(rest.join('\n'))}
${sections
  .map(
    ({ id, name, description: about, entries: some }) =>
      `<h2 id="${id}">${escapeHtml(name)}</h2>
${about ? `<p>${markedUp(about)}</p>` : ''}<ul class="operations">${some.map((entry) => entryOf(id, entry)).join('\n')}</ul>`,
  )
  .join('\n')}
</main></body></html>
`;
}

function entryOf(
  section: string,
  { method, path, summary, deprecated, 'x-audience': audience }: Entry,
): string {
  const name = method.toUpperCase();
  const notes = [...(audience ?? []), ...(deprecated ? ['deprecated'] : [])].join(', ');
  return `<li><a href="${INTERACTIVE}#tag/${section}/${name}${escapeHtml(path)}"><b>${name}</b> <code>${escapeHtml(path)}</code></a>
<span>${markedUp(summary)} <small>${escapeHtml(notes)}</small></span></li>`;
}

const linkTo = (heading: string): string =>
  `<li><a href="#${slugOf(heading)}">${escapeHtml(heading)}</a></li>`;
