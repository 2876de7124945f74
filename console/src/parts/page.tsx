import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageParts {
  title: string;
  /** The way up, for pages about one thing. */
  above?: { href: string; text: string };
  /** Beside the title: a count, an id, a state. */
  beside?: ComponentChildren;
  acts?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: its heading, what can be done, and its parts. */
export function Page({ title, above, beside, acts, children }: PageParts) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <>
      {above && (
        <nav class="above" aria-label="Breadcrumb">
          <a href={above.href}>{above.text}</a> / {title}
        </nav>
      )}
      <header class="head">
        <h1>{title}</h1>
        <div class="beside">{beside}</div>
        <div class="acts">{acts}</div>
      </header>
      {children}
    </>
  );
}
