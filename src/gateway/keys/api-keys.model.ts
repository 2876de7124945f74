import type { ObjectId } from '../../kernel/ids.ts';
import type { Tier } from '../limits/tiers.model.ts';

export interface StoredKey {
  id: ObjectId;
  name: string;
  tier: Tier;
  environment: 'development' | 'production';
  createdAt: Date;
  revokedAt: Date | null;
}
