import { escapeHtml } from '../../kernel/text/html.ts';

/** Escapes text for HTML and marks up code between backquotes. */
export const markedUp = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Returns the HTML of the Markdown of our descriptions: headings, paragraphs, lists, links and blocks of code. */
export function htmlOfMarkdown(markdown: string): string {
  const blocks = markdown.match(/^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm) ?? [];
  return blocks.map(htmlOfBlock).join('\n');
}

function htmlOfBlock(block: string): string {
  const [, code] = /^```\w*\n([\s\S]*?)```$/.exec(block) ?? [];
  if (code !== undefined)
    return `<pre tabindex="0" role="region" aria-label="Example"><code>${escapeHtml(code)}</code></pre>`;
  const [, hashes = '', heading] = /^(#{1,3}) (.*)$/.exec(block) ?? [];
  if (heading !== undefined) {
    const level = Math.min(hashes.length + 1, 3);
    return `<h${level}>${withLinks(heading)}</h${level}>`;
  }
  if (!block.startsWith('- ')) return `<p>${withLinks(block)}</p>`;
  const points = block.slice(2).split(/\n- /);
  return `<ul>${points.map((point) => `<li>${withLinks(point)}</li>`).join('\n')}</ul>`;
}

const withLinks = (text: string): string =>
  markedUp(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(((?:https:\/|\/)[^\s)]*)\)/g, '<a href="$2">$1</a>');
