import { optionalUrl } from '../../kernel/address-settings.ts';
import { choice, integer, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of uploads, videos and playback. */
export const mediaSettings = {
  maxBytes: integer(
    'VIDEO_MAX_BYTES',
    5 * 1024 ** 3,
    [1, 5 * 1024 ** 3],
    'The largest video that may be uploaded, in bytes',
  ),
  publicFilesUrl: optionalUrl(
    'PUBLIC_FILES_URL',
    'Base URL of a CDN in front of /media/files/, with a trailing slash, for images and other public uploads',
    'https://cdn.example.com/media/files/',
  ),
  delivery: choice(
    'VIDEO_DELIVERY',
    ['proxy', 'redirect'],
    'proxy',
    'How video segments are delivered: through the platform, or by a redirect to a signed storage link',
  ),
  cacheMebibytes: integer(
    'VIDEO_CACHE_MIB',
    64,
    [0, 65_536],
    'Memory of a process for recently played segments and playlists, in MiB; 0 keeps none',
  ),
  concurrency: integer(
    'TRANSCODE_CONCURRENCY',
    1,
    [1, 64],
    'Maximum number of videos that a process transcodes at a time',
  ),
} satisfies Record<string, Setting<unknown>>;

export type MediaSettings = ValuesOf<typeof mediaSettings>;
