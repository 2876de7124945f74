/** Paths on a 16 × 16 grid, drawn as strokes in the colour of the text. */
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
  flag: 'M4 14V2.5M4 3h8l-2 3 2 3H4',
  talk: 'M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2Z',
  candles: 'M5 2v3m0 6v3M3.5 5h3v6h-3zM11 3v2m0 5v3M9.5 5h3v5h-3z',
  bag: 'M3.5 5.5h9l.7 8H2.8l.7-8ZM5.5 7V4.5a2.5 2.5 0 0 1 5 0V7',
  bell: 'M4 11V7.5a4 4 0 0 1 8 0V11l1 1.2H3L4 11Zm2.8 2.8h2.4',
  book: 'M8 4.2C6.8 3.2 5 2.9 2.5 3v9.5c2.5-.1 4.300.2 5.500 1.200 1.200-1 3-1.300 5.500-1.200V3C11 2.900 9.200 3.200 8 4.200Zm0 0v9.500',
  bars: 'M3.500 13V8m3 5V4m3 9V6.500m3 6.500V9.500M2 13.500h12',
  pulse: 'M1.500 8.500H4.500L6.500 3.500l3 9 2-4h3',
  live: 'M8 8.600a.6.6 0 1 0 0-1.200.6.6 0 0 0 0 1.200ZM5.500 10.500a3.500 3.500 0 0 1 0-5m5 0a3.500 3.500 0 0 1 0 5m-7 2a6.400 6.400 0 0 1 0-9m9 0a6.400 6.400 0 0 1 0 9',
  send: 'M14 2.500 7 9.500M14 2.500 9.500 14 7 9.500 2 7l12-4.500Z',
  chevron: 'm6 3.500 4.500 4.500L6 12.500',
  more: 'M4 8h.01M8 8h.01M12 8h.01',
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
