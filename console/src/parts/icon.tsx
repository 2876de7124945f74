/** Drawn on a grid of 16, with strokes in the colour of the text. */
const PATHS = {
  overview: 'M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5',
  members:
    'M6 8a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 6 8Zm-4 5c0-2.2 1.8-3.6 4-3.6s4 1.4 4 3.6M10.5 4a2 2 0 0 1 0 3.8M11.6 9.6c1.5.4 2.4 1.7 2.4 3.4',
  money:
    'M2 5.2A1.2 1.2 0 0 1 3.2 4H13v2.5M2 5.2v6.6A1.2 1.2 0 0 0 3.2 13H14V6.5H3.2A1.2 1.2 0 0 1 2 5.2ZM11 9.7h.5',
  errors: 'M8 2.8 14 13H2L8 2.8Zm0 3.6v3.2M8 11.4v.2',
  audit: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L14 14',
  theme: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  key: 'M5.5 13a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm1.8-4.3L13 3m-2.5 2.5L12 7',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linejoin="round"
      stroke-linecap="round"
    />
  </svg>
);
