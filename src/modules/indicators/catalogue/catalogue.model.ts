import type { ObjectId } from '../../../kernel/ids.ts';

/** An indicator of the catalogue. */
export interface Indicator {
  id: ObjectId;
  name: string;
  description: string;
  /** The script at the charting platform. */
  pineId: string | null;
  chartingUrl: string | null;
  isActive: boolean;
  sortOrder: number;
  activeAccessCount: number;
  createdAt: Date;
  updatedAt: Date;
}
