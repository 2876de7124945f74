// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { readCsv } from '../../files.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List available products. `GET /v1/streams/marketplace/products` For client. */
export const listProducts: Operation<{
  query: {
    productType?: 'scanner' | 'misc';
    /** Has no effect: this list has active products only */
    includeInactive?: boolean;
  };
  data: wire.Product[];
  code: AnyCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY';
}> = {
  id: 'listProducts',
  method: 'GET',
  path: '/v1/streams/marketplace/products',
  isOpen: true,
};

/** Create a product. `POST /v1/streams/marketplace/products` For administrator. */
export const createProduct: Operation<{
  body: wire.CreateProductBody;
  data: wire.Product;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'NOT_FOUND' | 'TOO_MANY_PRODUCTS';
}> = {
  id: 'createProduct',
  method: 'POST',
  path: '/v1/streams/marketplace/products',
  isIdempotent: true,
};

/** List all products, including deactivated ones. `GET /v1/streams/marketplace/products/all` For administrator. */
export const listAllProducts: Operation<{
  data: wire.Product[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listAllProducts',
  method: 'GET',
  path: '/v1/streams/marketplace/products/all',
};

/** Retrieve an available product. `GET /v1/streams/marketplace/products/{id}` For client. */
export const getProduct: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.Product;
  code: AnyCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getProduct',
  method: 'GET',
  path: '/v1/streams/marketplace/products/{id}',
  fill: filled,
  isOpen: true,
};

/** Update a product. `PUT /v1/streams/marketplace/products/{id}` For administrator. */
export const updateProduct: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.UpdateProductBody;
  data: wire.Product;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'NOT_FOUND';
}> = {
  id: 'updateProduct',
  method: 'PUT',
  path: '/v1/streams/marketplace/products/{id}',
  fill: filled,
};

/** Delete a product; requests for it stay. `DELETE /v1/streams/marketplace/products/{id}` For administrator. */
export const deleteProduct: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteProduct',
  method: 'DELETE',
  path: '/v1/streams/marketplace/products/{id}',
  fill: filled,
};

/** Create an upload for a product image. `POST /v1/streams/marketplace/products/uploads/presign` For administrator. */
export const presignProductImage: Operation<{
  body: wire.PresignProductImageBody;
  data: wire.PublicUploadTicket;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'STORAGE_NOT_CONFIGURED' | 'UPLOAD_QUOTA_EXCEEDED';
}> = {
  id: 'presignProductImage',
  method: 'POST',
  path: '/v1/streams/marketplace/products/uploads/presign',
};

/** Request access to a product. `POST /v1/streams/marketplace/access-requests` For member. */
export const submitAccessRequest: Operation<{
  body: wire.SubmitAccessRequestBody;
  data: wire.SubmittedAccessRequest;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'CHARTING_ID_REQUIRED' | 'INVALID_ID' | 'NOT_FOUND' | 'PRODUCT_HAS_NO_FORM' | 'TOO_MANY_ACCESS_REQUESTS';
}> = {
  id: 'submitAccessRequest',
  method: 'POST',
  path: '/v1/streams/marketplace/access-requests',
  isIdempotent: true,
};

/** List access requests, most recently changed first. `GET /v1/streams/marketplace/access-requests` For administrator. */
export const listAccessRequests: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `updatedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
    status?: 'pending' | 'approved' | 'denied';
    productId?: wire.ObjectId;
    /** Part of a name, an e-mail or a charting id; the beginning of one if it is shorter than three characters */
    search?: string;
    format?: 'json' | 'csv';
  };
  data: wire.QueuedAccessRequest[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listAccessRequests',
  method: 'GET',
  path: '/v1/streams/marketplace/access-requests',
  pages: pagesOf,
  cursor: ['before', 'updatedAt', 'id'],
  read: readCsv,
};

/** Decide access requests alike, with a result for each. `PATCH /v1/streams/marketplace/access-requests` For administrator. */
export const decideAccessRequests: Operation<{
  body: wire.DecideAccessRequestsBody;
  data: wire.BulkDecision[];
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'decideAccessRequests',
  method: 'PATCH',
  path: '/v1/streams/marketplace/access-requests',
};

/** Retrieve the status of access requests by product. `GET /v1/streams/marketplace/access-requests/status` For member. */
export const getAccessRequestStatus: Operation<{
  query: {
    email: string;
  };
  data: wire.GetAccessRequestStatusResult;
  code: AnyCode | TokenCode;
}> = {
  id: 'getAccessRequestStatus',
  method: 'GET',
  path: '/v1/streams/marketplace/access-requests/status',
};

/** List your access requests, newest first. `GET /v1/streams/marketplace/access-requests/mine` For member. */
export const listOwnAccessRequests: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    productId?: wire.ObjectId;
  };
  data: wire.OwnAccessRequest[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listOwnAccessRequests',
  method: 'GET',
  path: '/v1/streams/marketplace/access-requests/mine',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Approve or deny an access request, or withdraw a decision. `PATCH /v1/streams/marketplace/access-requests/{id}` For administrator. */
export const decideAccessRequest: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.DecideAccessRequestBody;
  data: wire.DecidedAccessRequest;
  code: AnyCode | TokenCode | WriteCode | 'ACCESS_REQUEST_CHANGED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'decideAccessRequest',
  method: 'PATCH',
  path: '/v1/streams/marketplace/access-requests/{id}',
  fill: filled,
};
