import type { ObjectId } from '../../kernel/ids.ts';

export interface Dispute {
  /** Id assigned by the provider. */
  id: string;
  checkoutId: ObjectId;
  cents: number;
  status: 'inquiry' | 'open' | 'lost' | 'won';
}
