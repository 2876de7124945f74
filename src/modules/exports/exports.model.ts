import type { ObjectId } from '../../kernel/ids.ts';

export const EXPORT_STATUSES = ['pending', 'ready', 'failed', 'expired'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** How long an export can be downloaded. */
export const LINK_HOURS = 24;

/** An export of a member's data; its file exists from `readyAt` until `expiresAt`. */
export interface DataExport {
  id: ObjectId;
  userId: ObjectId;
  /** Whether the member requested it, rather than an administrator. */
  isOwn: boolean;
  status: Exclude<ExportStatus, 'expired'>;
  createdAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
}

/** Returns the key of an export's file in the storage. */
export const FILES = 'exports/';

/** Returns the key of an export's file. */
export const fileOf = ({ id, userId }: Pick<DataExport, 'id' | 'userId'>): string =>
  `${FILES}${userId}/${id}.zip`;

/** Returns the id of the export to which a file belongs. */
export const exportOfFile = (key: string): ObjectId => /([^/]*)\.zip$/.exec(key)?.[1] ?? '';
