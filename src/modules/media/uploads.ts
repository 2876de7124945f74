import type { ObjectStorage } from '../../external/storage/port.ts';
import { type FieldFault, validationFailed } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import {
  type IMAGE_TYPES,
  MAX_CLIP_MIB,
  MAX_IMAGE_MIB,
  PUBLIC_TYPES,
  type PublicPurpose,
  UPLOAD_LINK_MS,
  type UploadRequest,
  type UploadTicket,
  VIDEO_TYPES,
} from './contract.ts';
import { PUBLIC_FILES, UPLOADS } from './names.ts';

const MIB = 1024 * 1024;

interface Type {
  extension: string;
  maxBytes: number;
}

const EXTENSIONS: Record<(typeof IMAGE_TYPES | typeof VIDEO_TYPES)[number], string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

const typesOf = (names: readonly (keyof typeof EXTENSIONS)[], bytesOf: (name: string) => number) =>
  Object.fromEntries(names.map((name) => [name, { extension: EXTENSIONS[name], maxBytes: bytesOf(name) }]));
const publicTypesOf = (names: readonly (keyof typeof EXTENSIONS)[]): Record<string, Type> =>
  typesOf(names, (name) => MIB * (name.startsWith('image/') ? MAX_IMAGE_MIB : MAX_CLIP_MIB));

const TYPES_OF_PURPOSE: Record<PublicPurpose, Record<string, Type>> = {
  image: publicTypesOf(PUBLIC_TYPES.image),
  story: publicTypesOf(PUBLIC_TYPES.story),
};

type Purpose = PublicPurpose | 'video';

const VIDEO_EXPIRES_SECONDS = 3600;
const PUBLIC_EXPIRES_SECONDS = UPLOAD_LINK_MS / SECOND_MS;

interface UploadDeps {
  storage: ObjectStorage;
  /** Must make unguessable ids: anyone who knows the address of a public file may read it. */
  newId: NewId;
  videoMaxBytes: number;
}

/** An approved upload. */
interface Allowed {
  id: ObjectId;
  key: string;
  ticket: UploadTicket;
  expiresInSeconds: number;
}

/** Approves uploads and assigns their keys, which never contain the client's file name. */
export function uploadRules({ storage, newId, videoMaxBytes }: UploadDeps) {
  const types: Record<Purpose, Record<string, Type>> = {
    ...TYPES_OF_PURPOSE,
    video: typesOf(VIDEO_TYPES, () => videoMaxBytes),
  };

  async function sign(
    folder: string,
    upload: UploadRequest,
    type: Type,
    expiresInSeconds: number,
  ): Promise<Allowed> {
    const id = newId();
    const key = `${folder}${id}.${type.extension}`;
    const { fileSize: bytes, contentType } = upload;
    const { url, method, headers } = await storage.presignUpload({
      key,
      contentType,
      bytes,
      expiresInSeconds,
    });
    const instructions = { method, headers };
    return {
      id,
      key,
      expiresInSeconds,
      ticket: { uploadUrl: url, fileKey: key, expiresIn: expiresInSeconds, instructions },
    };
  }

  return {
    faultsOf: (purpose: Purpose, upload: Partial<UploadRequest>): FieldFault[] =>
      sizeFaults(types[purpose], upload),
    allowVideo: async (upload: UploadRequest): Promise<Allowed> =>
      sign(UPLOADS, upload, admit(types.video, upload), VIDEO_EXPIRES_SECONDS),

    async allowPublic(purpose: PublicPurpose, ownerId: ObjectId, upload: UploadRequest): Promise<Allowed> {
      const type = admit(types[purpose], upload);
      return sign(`${PUBLIC_FILES}${purpose}/${ownerId}/`, upload, type, PUBLIC_EXPIRES_SECONDS);
    },
  };
}

/** @throws 422 naming `contentType` or `fileSize` */
function admit(types: Record<string, Type>, upload: UploadRequest): Type {
  const { contentType } = upload;
  const type = Object.hasOwn(types, contentType) ? types[contentType] : undefined;
  const faults = sizeFaults(types, upload);
  if (!type)
    faults.push({ field: 'contentType', message: `must be one of ${Object.keys(types).join(', ')}` });
  if (!type || faults.length > 0) throw validationFailed(faults);
  return type;
}

/** Returns the fault of a file that is larger than its type may be, or than any type if its own is wrong. */
function sizeFaults(
  types: Record<string, Type>,
  { contentType = '', fileSize = 0 }: Partial<UploadRequest>,
): FieldFault[] {
  const all = Object.values(types);
  const limits = (Object.hasOwn(types, contentType) ? [types[contentType] as Type] : all).map(
    ({ maxBytes }) => maxBytes,
  );
  const most = Math.max(...limits);
  return fileSize > most ? [{ field: 'fileSize', message: `must be at most ${most}` }] : [];
}
