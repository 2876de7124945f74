import { Type } from 'typebox';
import { storageNotConfigured } from '../../external/storage/port.ts';
import { administrator, anyClient } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
} from '../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../kernel/operations/shapes.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';
import { indicatorNotFound } from '../indicators/contract.ts';
import {
  ImageUploadBody,
  type Media,
  PublicUploadTicket,
  UPLOAD_LINK_MS,
  uploadQuotaExceeded,
} from '../media/contract.ts';
import { productNotFound } from './contract.ts';
import { ListProductsQuery, Product, ProductChangesInBody, ProductInBody } from './products.schemas.ts';
import { type ProductRules, productFaults, tooManyProducts } from './products.ts';

const tag = 'Marketplace';
const params = Type.Object({ id: pathId('product') });
const base = '/v1/streams/marketplace/products';

export const productOperations = (
  products: ProductRules,
  media: Pick<Media, 'requestPublicUpload' | 'uploadFaults'>,
): Operation[] => [
  operation({
    method: 'GET',
    path: base,
    id: 'listProducts',
    tag,
    summary: 'List available products',
    description: 'Lists active products only, in their configured order.',
    access: anyClient,
    query: ListProductsQuery,
    success: ok(Type.Array(Product)),
    handle: ({ query }) => products.list(false, query.productType),
  }),
  operation({
    method: 'GET',
    path: `${base}/all`,
    id: 'listAllProducts',
    tag,
    summary: 'List all products, including deactivated ones',
    access: administrator,
    success: ok(Type.Array(Product)),
    handle: () => products.list(true),
  }),
  operation({
    method: 'GET',
    path: `${base}/:id`,
    id: 'getProduct',
    tag,
    summary: 'Retrieve an available product',
    access: anyClient,
    params,
    success: ok(Product),
    failures: [productNotFound],
    handle: ({ params }) => products.available(params.id),
  }),
  operation({
    method: 'POST',
    path: base,
    id: 'createProduct',
    tag,
    summary: 'Create a product',
    description:
      'A `scanner` product refers to the indicator that an approval grants, and has a form. The keys of questions are derived from their labels.',
    access: administrator,
    idempotent: true,
    body: ProductInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(Product, { message: 'Product created' }),
    failures: [indicatorNotFound, tooManyProducts],
    faults: ({ body }) => productFaults(body, body),
    handle: ({ body, caller, facts, idempotency }) =>
      products.create(body, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'PUT',
    path: `${base}/:id`,
    id: 'updateProduct',
    tag,
    summary: 'Update a product',
    description:
      'Fields that are left out keep their values. `requestFields` replaces all questions. Switching to `link` clears the questions; switching to `form` clears the link.',
    access: administrator,
    params,
    body: ProductChangesInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(Product, { message: 'Product updated' }),
    failures: [productNotFound, indicatorNotFound, changedMeanwhile],
    load: ({ params }) => products.existing(params.id),
    faults: ({ loaded, body }) => productFaults({ ...loaded, ...body }, body),
    handle: ({ loaded, body, caller, facts }) => products.update(loaded, body, actorOf(caller, facts)),
  }),
  operation({
    method: 'DELETE',
    path: `${base}/:id`,
    id: 'deleteProduct',
    tag,
    summary: 'Delete a product; requests for it stay',
    access: administrator,
    params,
    success: ok(DeletedRecord, { message: 'Product deleted' }),
    failures: [productNotFound],
    handle: async ({ params, caller, facts }) => {
      await products.delete(params.id, actorOf(caller, facts));
      return { id: params.id };
    },
  }),
  operation({
    method: 'POST',
    path: `${base}/uploads/presign`,
    id: 'presignProductImage',
    tag,
    summary: 'Create an upload for a product image',
    description: `Upload the image within ${UPLOAD_LINK_MS / MINUTE_MS} minutes, then save \`publicUrl\` as the \`imageUrl\` of a product. This request itself changes no product.`,
    access: administrator,
    body: ImageUploadBody,
    success: created(PublicUploadTicket, { message: 'Upload signed' }),
    failures: [uploadQuotaExceeded, storageNotConfigured],
    faults: ({ body }) => media.uploadFaults('image', body),
    handle: ({ body, caller }) => media.requestPublicUpload('image', caller.userId, body),
  }),
];
