import type { ObjectId } from '../../kernel/ids.ts';

export interface Upload {
  id: ObjectId;
  subjectId: ObjectId;
  ownerId: ObjectId;
  key: string;
  fileName: string;
  contentType: string;
  bytes: number;
  state: 'open' | 'consumed' | 'expired';
  expiresAt: Date;
  createdAt: Date;
}
