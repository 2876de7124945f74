import type { ObjectId } from '../../kernel/ids.ts';

export const PRODUCT_TYPES = ['scanner', 'misc'] as const;
export const CTA_TYPES = ['form', 'link'] as const;
export const QUESTION_TYPES = ['text', 'textarea', 'number', 'select', 'multiselect', 'checkbox'] as const;

/** A question of a product's form. */
export interface Question {
  key: string;
  label: string;
  type: (typeof QUESTION_TYPES)[number];
  required: boolean;
  options?: string[];
}

export interface Product {
  id: ObjectId;
  name: string;
  description: string;
  imageUrl: string | null;
  productType: (typeof PRODUCT_TYPES)[number];
  /** The indicator that an approved request grants. */
  scannerId: ObjectId | null;
  ctaType: (typeof CTA_TYPES)[number];
  ctaUrl: string | null;
  requestFields: Question[];
  isActive: boolean;
  sortOrder: number;
  createdAt: Date;
  updatedAt: Date;
}
