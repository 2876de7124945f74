import type { Metric } from '../../kernel/metric.ts';
import type { RecentObjects } from './recent-objects.ts';
import type { StorageWatch } from './storage-watch.ts';

const COMMON = { scope: 'process', group: 'External systems', needs: 'STORAGE_ENDPOINT' } as const;

export const playbackMetrics = ({ figures }: Pick<RecentObjects, 'figures'>): Metric[] => [
  {
    ...COMMON,
    name: 'video_cache_bytes',
    help: 'Memory of this process in use for recently played segments and playlists, at most VIDEO_CACHE_MIB',
    read: () => figures().bytes,
  },
];

export const storageMetrics = ({ isUp }: Pick<StorageWatch, 'isUp'>): Metric[] => [
  {
    ...COMMON,
    name: 'storage_up',
    help: 'Whether this process could use the object storage when it last checked',
    read: () => Number(isUp()),
    alerts: [
      {
        name: 'StorageUnavailable',
        query: 'min(storage_up)',
        condition: '< 1',
        minutes: 5,
        severity: 'page',
        means:
          'Playback and the completion of uploads are refused with 503, and videos wait; links for uploads are still given, and the storage refuses what is sent to them. Everything else works.',
        steps: [
          'The log has the reason: search for `the storage is unavailable` (a wrong bucket, wrong credentials, unreachable, hanging).',
          'Restore the storage or correct `STORAGE_*`. Nothing else has to be restarted, and no video needs a repair.',
        ],
      },
    ],
  },
];
