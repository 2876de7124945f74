import type { ObjectStorage, StoredObject } from '../../external/storage/port.ts';
import { StorageFault } from '../../external/storage/port.ts';
import type { RawAnswer, RawRoute, RawRouteRequest } from '../../kernel/raw-routes.ts';
import type { Clock } from '../../kernel/time.ts';
import type { CaptionStore } from './captions.store.ts';
import { captionPlaylist, withCaptions } from './captions.ts';
import { folderOf } from './names.ts';
import type { PlaybackGrant, PlaybackTokens } from './tokens.ts';

export type Delivery = 'proxy' | 'redirect';

interface PlaybackDeps {
  storage: ObjectStorage;
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
/** The playlists of all renditions, or of one; those of tracks stand a folder deeper. */
const MASTER = /^\d+\/[\w-]+\.m3u8$/;
/** What relative addresses lead on from must come from here. */
const REDIRECTED = /\.(m4s|mp4|jpg)$/;

/** Players run on pages of any origin, and need no cookie. */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Length, Content-Range, ETag',
  'cross-origin-resource-policy': 'cross-origin',
};
const SHORTLY = 'public, max-age=30';
const MAX_PRESIGN_SECONDS = 3600;

/** Serves playlists, segments, pictures and captions to whoever has a link. */
export function playbackRoute(deps: PlaybackDeps): RawRoute {
  const { storage, captions, tokens, clock, delivery } = deps;

  const secondsLeft = ({ expiresAt }: PlaybackGrant): number =>
    Math.max(1, Math.floor((expiresAt.getTime() - clock.now()) / 1000));

  async function captionOf(videoId: string, language: string, kind: string): Promise<RawAnswer> {
    const caption = await captions.ofVideo(videoId, language);
    if (!caption) return refusal(404, 'Not found');
    const body = kind === 'vtt' ? caption.text : captionPlaylist(language, caption.durationMs / 1000);
    return textAnswer(kind, body);
  }

  async function masterOf(videoId: string, key: string): Promise<RawAnswer> {
    const [found, languages] = await Promise.all([storage.read(key), captions.languagesOfVideo(videoId)]);
    if (!found) return refusal(404, 'Not found');
    return textAnswer('m3u8', withCaptions(await textOf(found), languages));
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
      'accept-ranges': 'bytes',
      // A cache must not go on serving what the link no longer opens.
      'cache-control': `public, max-age=${secondsLeft(grant)}, immutable`,
    };
    const known = request.header('if-none-match');
    if (request.method === 'HEAD' || known !== '') {
      const facts = await storage.head(key);
      if (!facts) return refusal(404, 'Not found');
      const headers = { ...about, etag: facts.etag };
      if (known === facts.etag || known === '*') return { status: 304, headers };
      if (request.method === 'HEAD')
        return { status: 200, headers: { ...headers, 'content-length': String(facts.bytes) } };
    }
    const range = rangeOf(request.header('range'));
    const found = await storage.read(key, range ? { range } : {});
    if (!found) return refusal(404, 'Not found');
    return range && !found.range ? outside(found, about) : bodyOf(found, about);
  }

  async function serve(request: RawRouteRequest): Promise<RawAnswer> {
    const { token = '', '*': path = '' } = request.params;
    const grant = tokens.read(token);
    if (grant === 'forged') return refusal(403, 'The link is not valid');
    if (grant === 'expired') return refusal(403, 'The link has expired');
    const { videoId } = grant;
    const [, language, kind] = CAPTIONS.exec(path) ?? [];
    if (language !== undefined && kind !== undefined) return captionOf(videoId, language, kind);
    if (!STORED.test(path)) return refusal(404, 'Not found');
    const key = `${folderOf(videoId)}${path}`;
    if (MASTER.test(path)) return masterOf(videoId, key);
    return delivery === 'redirect' && REDIRECTED.test(path)
      ? redirect(key, grant)
      : stored(key, grant, request);
  }

  return {
    path: '/media/v/:token/*',
    anyOrigin: true,
    handle: async (request) => {
      try {
        return await serve(request);
      } catch (error) {
        if (!(error instanceof StorageFault)) throw error;
        const { headers, ...rest } = refusal(503, 'The storage is unavailable');
        return { ...rest, headers: { ...headers, 'retry-after': '2' } };
      }
    },
  };
}

const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const refusal = (status: number, message: string): RawAnswer => ({
  status,
  headers: { ...OPEN, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: `${message}\n`,
});

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

async function textOf({ body }: StoredObject): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function bodyOf({ body, bytes, etag, range }: StoredObject, about: Record<string, string>): RawAnswer {
  const length = range ? range.last - range.first + 1 : bytes;
  return {
    status: range ? 206 : 200,
    headers: {
      ...about,
      etag,
      'content-length': String(length),
      ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${bytes}` } : {}),
    },
    body,
  };
}

function outside({ body, bytes }: StoredObject, about: Record<string, string>): RawAnswer {
  body.destroy();
  return {
    status: 416,
    headers: {
      ...about,
      'cache-control': 'no-store',
      'content-range': `bytes */${bytes}`,
      'content-length': '0',
    },
  };
}

/** Reads a range from its first byte on; other forms, and several ranges, are answered with the whole object. */
function rangeOf(header: string): { first: number; last?: number } | undefined {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  if (!to) return { first };
  return Number(to) < first ? undefined : { first, last: Number(to) };
}
