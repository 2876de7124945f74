import { type ObjectStorage, StorageFault } from '../../external/storage/port.ts';
import type { PictureSize } from '../../external/transcoder/port.ts';
import { validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { RawAnswer, RawRoute, RawRouteRequest } from '../../kernel/operations/raw-routes.ts';
import type { PictureLinks, UrlRule } from './contract.ts';
import { fileNotFound } from './failures.ts';
import { PUBLIC_FILES, STORAGE_DEADLINE_MS } from './names.ts';
import { keyOfSize, type PictureSizes, SIZES } from './picture-sizes.ts';
import type { PublicUploads } from './public-uploads.ts';
import type { ServedFiles } from './served-files.ts';
import { OPEN, storedAnswer, unlessUnavailable } from './stored-answers.ts';

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  mp4: 'video/mp4',
};

/** An upload can be repeated until its link expires after 15 minutes. */
const CACHE_SECONDS = 24 * 3600;

const ROUTE = '/media/files/';
const PATH = /^(image|story)\/([0-9a-f]{24})\/[0-9a-f]{24}\.(jpg|png|webp|gif|avif|mp4)$/;

/**
 * The owners of files to which a text refers, as found by `kernel.public_files_in`: a record with this text keeps the
 * file, whatever precedes the path.
 */
const REFERENCED_FILE = /\/(?:image|story)\/([0-9a-f]{24})\/[0-9a-f]{24}\.(?:jpg|png|webp|gif|avif|mp4)/g;
const ownersIn = (value: unknown): ObjectId[] =>
  [...(JSON.stringify(value) ?? '').matchAll(REFERENCED_FILE)].map(([, ownerId]) => ownerId as ObjectId);

/** A requested size is expected to be made within this time. */
const SIZE_EXPECTED_SECONDS = 30;

/** The address of a picture's size: the address of the file, followed by the name of the size. */
const SIZED = new RegExp(`^(.+\\.(?!mp4)\\w+)/(${SIZES.join('|')})$`);

interface PublicFileDeps {
  storage: ObjectStorage;
  served: ServedFiles;
  sizes: Pick<PictureSizes, 'order'>;
  uploads: Pick<PublicUploads, 'keepForRequest'>;
  publicUrl: () => string;
  /** Alternative base URL, such as a CDN in front of the platform's route. */
  filesUrl: string | undefined;
}

interface PublicFile {
  key: string;
}

const NO_UPLOAD = 'must be the publicUrl of an upload';

/** Public files: their URLs, and how they are served. */
export function publicFiles({ storage, served, sizes, uploads, publicUrl, filesUrl }: PublicFileDeps) {
  const base = (): string => filesUrl?.replace(/\/?$/, '/') ?? `${publicUrl().replace(/\/$/, '')}${ROUTE}`;

  function fileOf(url: string): PublicFile | undefined {
    if (!url.startsWith(base())) return undefined;
    const path = url.slice(base().length);
    return PATH.test(path) ? { key: PUBLIC_FILES + path } : undefined;
  }

  /** Returns the fault of a file to which a record is about to refer, or an empty string. */
  async function faultOf({ key }: PublicFile, state: 'kept' | 'gone' | 'unknown'): Promise<string> {
    if (state === 'gone') return NO_UPLOAD;
    try {
      const facts = await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS });
      if (!facts) return state === 'unknown' ? NO_UPLOAD : '';
      return (await served.admits(facts)) ? '' : 'must be a file of the announced type';
    } catch (error) {
      // The content is checked again before it is served.
      if (error instanceof StorageFault) return '';
      throw error;
    }
  }

  const aboutFile = (type: string, seconds: number): Record<string, string> => ({
    ...OPEN,
    'content-type': type,
    'cache-control': `public, max-age=${seconds}`,
    'content-security-policy': "default-src 'none'; sandbox",
  });

  /** Serves a file without metadata, if its content matches its type. */
  async function fileAnswer(
    key: string,
    about: Record<string, string>,
    request: RawRouteRequest,
  ): Promise<RawAnswer> {
    const answer = await storedAnswer({ storage: served, key, about }, request);
    if (!answer) throw fileNotFound('missing');
    return answer;
  }

  /** Serves a picture in a size, or the original until the size is made. */
  async function sizedAnswer(
    { key, type, size }: { key: string; type: string; size: PictureSize },
    request: RawRouteRequest,
  ): Promise<RawAnswer> {
    const facts = await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS });
    if (!facts) throw fileNotFound('missing');
    if (!(await served.admits(facts))) throw fileNotFound('content');
    const ofSize = keyOfSize(key, facts.etag, size);
    const resized = { storage, key: ofSize, about: aboutFile('image/webp', CACHE_SECONDS) };
    const answer = await storedAnswer(resized, request);
    if (answer) return answer;
    await sizes.order(key, facts.etag);
    return fileAnswer(key, aboutFile(type, SIZE_EXPECTED_SECONDS), request);
  }

  const route: RawRoute = {
    path: `${ROUTE}*`,
    anyOrigin: true,
    allowanceOf: () => 'media',
    handle: (request) =>
      unlessUnavailable(async () => {
        const requested = request.params['*'] ?? '';
        const [, path = requested, size] = SIZED.exec(requested) ?? [];
        const [, , , extension = ''] = PATH.exec(path) ?? [];
        const type = TYPES[extension];
        if (type === undefined) throw fileNotFound('path');
        const key = PUBLIC_FILES + path;
        if (size !== undefined) return sizedAnswer({ key, type, size: size as PictureSize }, request);
        return fileAnswer(key, aboutFile(type, CACHE_SECONDS), request);
      }),
  };

  return {
    route,
    urlOf: (key: string): string => base() + key.slice(PUBLIC_FILES.length),
    sizesOf(url: string): PictureLinks | null {
      return fileOf(url) === undefined || url.endsWith('.mp4')
        ? null
        : { small: `${url}/small`, medium: `${url}/medium`, large: `${url}/large` };
    },
    isOwnUrl: (url: string): boolean => fileOf(url) !== undefined,

    async check(urls: Record<string, unknown>, { ownerIds, alreadySaved = [] }: UrlRule = {}): Promise<void> {
      const fresh = Object.entries(urls).filter(([, url]) => !alreadySaved.includes(url));
      const othersFile = fresh.filter(
        ([, url]) => ownerIds && ownersIn(url).some((id) => !ownerIds.includes(id)),
      );
      if (othersFile.length > 0)
        throw validationFailed(othersFile.map(([field]) => ({ field, message: NO_UPLOAD })));
      const given = fresh.flatMap(([field, url]) => {
        const file = typeof url === 'string' ? fileOf(url) : undefined;
        return file ? [{ field, file }] : [];
      });
      if (given.length === 0) return;
      const states = await uploads.keepForRequest([...new Set(given.map(({ file }) => file.key))]);
      for (const { field, file } of given) {
        const message = await faultOf(file, states.get(file.key) ?? 'unknown');
        if (message !== '') throw validationFailed([{ field, message }]);
      }
    },
  };
}

export type PublicFiles = ReturnType<typeof publicFiles>;
