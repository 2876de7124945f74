import type { ObjectStorage } from '../../external/storage/port.ts';
import type { RawAnswer, RawRoute, RawRouteRequest } from '../../kernel/operations/raw-routes.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { CaptionStore } from './captions.store.ts';
import { captionPlaylist, withCaptions } from './captions.ts';
import { fileNotFound, linkExpired, linkForged, tooFast } from './failures.ts';
import { folderOf, STORAGE_DEADLINE_MS } from './names.ts';
import { playbackPace } from './playback-pace.ts';
import type { RecentObjects } from './recent-objects.ts';
import { bytesOf, OPEN, recentAnswer, storedAnswer, unlessUnavailable } from './stored-answers.ts';
import type { PlaybackGrant, PlaybackTokens } from './tokens.ts';

type Delivery = 'proxy' | 'redirect';

interface PlaybackDeps {
  storage: ObjectStorage;
  /** Undefined when nothing is kept in memory. */
  recent: RecentObjects | undefined;
  captions: CaptionStore;
  tokens: PlaybackTokens;
  clock: Clock;
  delivery: Delivery;
}

const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/mp4',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
};
const STORED = /^(?:[a-z0-9][\w-]*\/){1,3}[\w-]+\.(m3u8|m4s|mp4|vtt|jpg)$/;
const CAPTIONS = /^captions\/([\w-]{1,35})\.(m3u8|vtt)$/;
/** Playlists of all renditions or of one; playlists of tracks are one folder deeper. */
const MASTER = /^\d+\/[\w-]+\.m3u8$/;
/** Files that may be redirected; playlists must be served by the platform, because their links are relative. */
const REDIRECTED = /\.(m4s|mp4|jpg)$/;

const SHORTLY = 'public, max-age=30';
const MAX_PRESIGN_SECONDS = 3600;
/** The playlist of a video of 24 hours has some 20,000 lines. */
const MAX_PLAYLIST_BYTES = 4 * 1024 ** 2;

/** Serves playlists, segments, pictures and captions to holders of a link. */
export function playbackRoute(deps: PlaybackDeps): RawRoute {
  const { storage, recent, captions, tokens, clock, delivery } = deps;

  const pace = playbackPace(clock);

  const secondsLeft = ({ expiresAt }: PlaybackGrant): number =>
    Math.max(1, Math.floor((expiresAt.getTime() - clock.now()) / 1000));

  async function captionOf(videoId: string, language: string, kind: string): Promise<RawAnswer> {
    const caption = await captions.ofVideo(videoId, language);
    if (!caption) throw fileNotFound('captions');
    const body = kind === 'vtt' ? caption.text : captionPlaylist(language, caption.durationMs / 1000);
    return textAnswer(kind, body);
  }

  async function masterOf(videoId: string, key: string): Promise<RawAnswer> {
    const [master, languages] = await Promise.all([textOf(key), captions.languagesOfVideo(videoId)]);
    if (master === undefined) throw fileNotFound('missing');
    return textAnswer('m3u8', withCaptions(master, languages));
  }

  async function textOf(key: string): Promise<string | undefined> {
    const cached = await recent?.open(key);
    if (cached && cached !== 'not held' && 'content' in cached) {
      const text = cached.content.toString('utf8');
      cached.release();
      return text;
    }
    const found =
      cached && cached !== 'not held' ? cached : await storage.read(key, { deadlineMs: STORAGE_DEADLINE_MS });
    return found && (await bytesOf(found, MAX_PLAYLIST_BYTES)).toString('utf8');
  }

  async function redirect(key: string, grant: PlaybackGrant): Promise<RawAnswer> {
    const seconds = Math.min(MAX_PRESIGN_SECONDS, secondsLeft(grant));
    const location = await storage.presignDownload({ key, expiresInSeconds: seconds });
    const headers = { ...OPEN, location, 'cache-control': `private, max-age=${Math.floor(seconds / 2)}` };
    return { status: 302, headers };
  }

  async function stored(key: string, grant: PlaybackGrant, request: RawRouteRequest): Promise<RawAnswer> {
    const about = {
      ...OPEN,
      'content-type': typeOf(key),
      // Caches must not serve it longer than the link is valid.
      'cache-control': `public, max-age=${secondsLeft(grant)}, immutable`,
    };
    const stored = { storage, key, about };
    const answer = await (recent ? recentAnswer(recent, stored, request) : storedAnswer(stored, request));
    if (!answer) throw fileNotFound('missing');
    return answer;
  }

  async function serve(request: RawRouteRequest): Promise<RawAnswer> {
    const { token = '', '*': path = '' } = request.params;
    const grant = tokens.read(token);
    if (grant === 'forged') throw linkForged();
    if (grant === 'expired') throw linkExpired();
    const waitSeconds = pace(grant);
    if (waitSeconds > 0) throw tooFast(waitSeconds);
    const { videoId } = grant;
    const [, language, kind] = CAPTIONS.exec(path) ?? [];
    if (language !== undefined && kind !== undefined) return captionOf(videoId, language, kind);
    if (!STORED.test(path)) throw fileNotFound('path');
    const key = `${folderOf(videoId)}${path}`;
    if (MASTER.test(path)) return masterOf(videoId, key);
    return delivery === 'redirect' && REDIRECTED.test(path)
      ? redirect(key, grant)
      : stored(key, grant, request);
  }

  return {
    path: '/media/v/:token/*',
    anyOrigin: true,
    // A link has its own rate limit; many viewers, such as those of a school, may share one address.
    allowanceOf: ({ token = '' }) => (typeof tokens.read(token) === 'string' ? 'address' : 'none'),
    memberOf: ({ token = '' }) => tokens.viewerOf(token),
    handle: (request) => unlessUnavailable(() => serve(request)),
  };
}

const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const textAnswer = (kind: string, text: string): RawAnswer => ({
  status: 200,
  headers: {
    ...OPEN,
    'content-type': TYPES[kind] ?? 'text/plain',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': SHORTLY,
  },
  body: text,
});
