import { escapeHtml } from '../../kernel/text/html.ts';

/** Escapes text for HTML and marks up code between backquotes. */
export const markedUp = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Returns the name of a section in addresses: those of our pages, and those of the viewer of the reference. */
export const slugOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

/**
 * Returns the HTML of the Markdown of our descriptions: headings, paragraphs, lists, links and blocks of code. Headings of
 * the first level have an id.
 */
export function htmlOfMarkdown(markdown: string): string {
  const blocks = markdown.match(/^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm) ?? [];
  let title = '';
  return blocks
    .map((block) => {
      title = HEADING.exec(block)?.[2] ?? title;
      return htmlOfBlock(block, title);
    })
    .join('\n');
}

const HEADING = /^(#{1,3}) (.*)$/;

/** @param title the heading above it */
function htmlOfBlock(block: string, title: string): string {
  const [, code] = /^```\w*\n([\s\S]*?)```$/.exec(block) ?? [];
  if (code !== undefined)
    return `<pre tabindex="0" role="region" aria-label="Example: ${escapeHtml(title)}"><code>${escapeHtml(code)}</code></pre>`;
  const [, hashes = '', heading] = HEADING.exec(block) ?? [];
  if (heading !== undefined) {
    const level = Math.min(hashes.length + 1, 3);
    const id = hashes.length === 1 ? ` id="${slugOf(heading)}"` : '';
    return `<h${level}${id}>${withLinks(heading)}</h${level}>`;
  }
  if (!block.startsWith('- ')) return `<p>${withLinks(block)}</p>`;
  const points = block.slice(2).split(/\n- /);
  return `<ul>${points.map((point) => `<li>${withLinks(point)}</li>`).join('\n')}</ul>`;
}

const withLinks = (text: string): string =>
  markedUp(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(((?:https:\/|\/)[^\s)]*)\)/g, '<a href="$2">$1</a>');
