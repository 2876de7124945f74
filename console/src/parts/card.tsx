import type { ComponentChildren } from 'preact';

/** A part of a page with a heading. */
export const Card = ({
  title,
  more,
  children,
}: {
  title: string;
  more?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      {more}
    </header>
    {children}
  </section>
);

/** Pairs of a label and a value; pairs without a value are left out. */
export const Facts = ({ of }: { of: [label: string, value: ComponentChildren][] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
