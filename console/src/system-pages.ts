import { ADMIN, type PageEntry } from './page-entry.ts';

/** The pages about the installation itself: its errors, jobs, connections, webhooks, keys and audit log. */
export const SYSTEM_PAGES: PageEntry[] = [
  {
    path: '/error-groups',
    section: 'Errors',
    tab: 'Groups',
    needs: ADMIN,
    load: () => import('./pages/error-groups.tsx'),
  },
  {
    path: '/errors',
    section: 'Errors',
    tab: 'All errors',
    needs: ADMIN,
    load: () => import('./pages/errors.tsx'),
  },
  { path: '/errors/:id', section: 'Errors', needs: ADMIN, load: () => import('./pages/error.tsx') },
  {
    path: '/audit',
    section: 'Audit log',
    tab: 'Audit log',
    needs: ADMIN,
    load: () => import('./pages/audit.tsx'),
  },
  {
    path: '/keys',
    section: 'API keys',
    tab: 'API keys',
    needs: ADMIN,
    load: () => import('./pages/keys.tsx'),
  },
  {
    path: '/health',
    section: 'Jobs and health',
    tab: 'Health',
    needs: ADMIN,
    load: () => import('./pages/health.tsx'),
  },
  {
    path: '/jobs',
    section: 'Jobs and health',
    tab: 'Jobs',
    needs: ADMIN,
    load: () => import('./pages/jobs.tsx'),
  },
  { path: '/jobs/:id', section: 'Jobs and health', needs: ADMIN, load: () => import('./pages/queue.tsx') },
  {
    path: '/webhooks',
    section: 'Webhooks',
    tab: 'Webhooks',
    needs: ADMIN,
    load: () => import('./pages/webhooks.tsx'),
  },
  { path: '/webhooks/:id', section: 'Webhooks', needs: ADMIN, load: () => import('./pages/webhook.tsx') },
  { path: '/live', section: 'Live', tab: 'Live', needs: ADMIN, load: () => import('./pages/live.tsx') },
];
