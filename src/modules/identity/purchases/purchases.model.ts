import type { ObjectId } from '../../../kernel/ids.ts';

export interface Purchase {
  id: ObjectId;
  sku: string;
  product_name: string;
  last_purchased_date: Date;
  createdAt: Date;
}
