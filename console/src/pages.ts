import { ADMIN, MODERATOR, type PageEntry } from './page-entry.ts';
import { decoded } from './router.ts';
import { SYSTEM_PAGES } from './system-pages.ts';

/** The pages of the console. The code of each is loaded when it is first opened. */
export const PAGES: PageEntry[] = [
  { path: '/', section: 'Overview', tab: 'Overview', load: () => import('./pages/overview.tsx') },
  {
    path: '/members',
    section: 'Members',
    tab: 'Members',
    needs: ADMIN,
    load: () => import('./pages/members.tsx'),
  },
  {
    path: '/platforms',
    section: 'Members',
    tab: 'Platforms',
    needs: ADMIN,
    load: () => import('./pages/platforms.tsx'),
  },
  {
    path: '/members/:id',
    section: 'Members',
    needs: ['moderator', 'read_users'],
    load: () => import('./pages/member.tsx'),
  },
  {
    path: '/withdrawals',
    section: 'Money',
    tab: 'Withdrawals',
    needs: ADMIN,
    load: () => import('./pages/withdrawals.tsx'),
  },
  {
    path: '/alerts',
    section: 'Money',
    tab: 'Alerts',
    needs: ADMIN,
    load: () => import('./pages/alerts.tsx'),
  },
  {
    path: '/transactions',
    section: 'Money',
    tab: 'Transactions',
    needs: ADMIN,
    load: () => import('./pages/transactions.tsx'),
  },
  {
    path: '/transactions/:id',
    section: 'Money',
    needs: ADMIN,
    load: () => import('./pages/transaction.tsx'),
  },
  {
    path: '/checkouts',
    section: 'Money',
    tab: 'Checkouts',
    needs: ADMIN,
    load: () => import('./pages/checkouts.tsx'),
  },
  { path: '/checkouts/:id', section: 'Money', needs: ADMIN, load: () => import('./pages/checkout.tsx') },
  {
    path: '/wallets',
    section: 'Money',
    tab: 'Wallets',
    needs: ADMIN,
    load: () => import('./pages/wallets.tsx'),
  },
  { path: '/rates', section: 'Money', tab: 'Rates', needs: ADMIN, load: () => import('./pages/rates.tsx') },
  {
    path: '/ledger',
    section: 'Money',
    tab: 'Ledger',
    needs: ADMIN,
    load: () => import('./pages/ledger.tsx'),
  },
  {
    path: '/moderation',
    section: 'Moderation',
    tab: 'Moderation',
    needs: MODERATOR,
    load: () => import('./pages/moderation.tsx'),
  },
  {
    path: '/chatrooms',
    section: 'Community',
    tab: 'Chatrooms',
    needs: MODERATOR,
    load: () => import('./pages/chatrooms.tsx'),
  },
  {
    path: '/chatrooms/:id',
    section: 'Community',
    needs: MODERATOR,
    load: () => import('./pages/chatroom.tsx'),
  },
  {
    path: '/communities',
    section: 'Community',
    tab: 'Communities',
    needs: MODERATOR,
    load: () => import('./pages/communities.tsx'),
  },
  {
    path: '/communities/:id',
    section: 'Community',
    needs: MODERATOR,
    load: () => import('./pages/community.tsx'),
  },
  {
    path: '/posts',
    section: 'Community',
    tab: 'Posts',
    needs: MODERATOR,
    load: () => import('./pages/posts.tsx'),
  },
  {
    path: '/posts/:id',
    section: 'Community',
    needs: MODERATOR,
    load: () => import('./pages/post.tsx'),
  },
  {
    path: '/trades',
    section: 'Community',
    tab: 'Trade ideas',
    needs: MODERATOR,
    load: () => import('./pages/trades.tsx'),
  },
  {
    path: '/trades/:id',
    section: 'Community',
    needs: MODERATOR,
    load: () => import('./pages/trade.tsx'),
  },
  {
    path: '/grants',
    section: 'Indicators',
    tab: 'Grants',
    needs: ADMIN,
    load: () => import('./pages/grants.tsx'),
  },
  {
    path: '/indicators',
    section: 'Indicators',
    tab: 'Catalogue',
    needs: ADMIN,
    load: () => import('./pages/indicators.tsx'),
  },
  {
    path: '/charting',
    section: 'Indicators',
    tab: 'Charting account',
    needs: ADMIN,
    load: () => import('./pages/charting.tsx'),
  },
  {
    path: '/requests',
    section: 'Marketplace',
    tab: 'Requests',
    needs: ADMIN,
    load: () => import('./pages/requests.tsx'),
  },
  {
    path: '/products',
    section: 'Marketplace',
    tab: 'Products',
    needs: ADMIN,
    load: () => import('./pages/products.tsx'),
  },
  {
    path: '/deliveries',
    section: 'Notifications',
    tab: 'Deliveries',
    needs: ADMIN,
    load: () => import('./pages/deliveries.tsx'),
  },
  {
    path: '/sending',
    section: 'Notifications',
    tab: 'Send',
    needs: ADMIN,
    load: () => import('./pages/sending.tsx'),
  },
  {
    path: '/suppressions',
    section: 'Notifications',
    tab: 'Suppressed addresses',
    needs: ADMIN,
    load: () => import('./pages/suppressions.tsx'),
  },
  {
    path: '/courses',
    section: 'Content',
    tab: 'Courses',
    needs: ADMIN,
    load: () => import('./pages/courses.tsx'),
  },
  {
    path: '/videos',
    section: 'Content',
    tab: 'Videos',
    needs: ADMIN,
    load: () => import('./pages/videos.tsx'),
  },
  {
    path: '/livestreams',
    section: 'Content',
    tab: 'Livestreams',
    needs: ADMIN,
    load: () => import('./pages/livestreams.tsx'),
  },
  {
    path: '/educators',
    section: 'Content',
    tab: 'Educators',
    needs: ADMIN,
    load: () => import('./pages/educators.tsx'),
  },
  { path: '/educators/:id', section: 'Content', needs: ADMIN, load: () => import('./pages/educator.tsx') },
  {
    path: '/dashboard',
    section: 'Analytics',
    tab: 'Dashboard',
    needs: ADMIN,
    load: () => import('./pages/dashboard.tsx'),
  },
  {
    path: '/funnels',
    section: 'Analytics',
    tab: 'Funnels',
    needs: ADMIN,
    load: () => import('./pages/funnels.tsx'),
  },
  {
    path: '/events',
    section: 'Analytics',
    tab: 'Events',
    needs: ADMIN,
    load: () => import('./pages/events.tsx'),
  },
  {
    path: '/boards',
    section: 'Analytics',
    tab: 'Boards',
    needs: ADMIN,
    load: () => import('./pages/boards.tsx'),
  },
  ...SYSTEM_PAGES,
];

/** Finds the page at a path, and the id that the path contains. */
export function pageAt(path: string): { page: PageEntry; id: string } | undefined {
  for (const page of PAGES) {
    const pattern = new RegExp(`^${page.path.replace(':id', '([^/]+)')}$`);
    const found = pattern.exec(path);
    const id = found && decoded(found[1] ?? '');
    if (typeof id === 'string') return { page, id };
  }
  return undefined;
}

/** The pages of the same section, which its tabs show. */
export const tabsOf = ({ section }: Pick<PageEntry, 'section'>): PageEntry[] =>
  PAGES.filter((page) => page.section === section && page.tab !== undefined);
