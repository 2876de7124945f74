import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { Failure, type FieldFault, failure, validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { answered, type RecordedAnswer } from '../../kernel/records/idempotency.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import { HANDLE_RULE, handleOf, type Indicators } from '../indicators/contract.ts';
import { productNotFound, requestNotFound } from './contract.ts';
import type { Product } from './products.model.ts';
import type { ProductStore } from './products.store.ts';
import { answersTo } from './questions.ts';
import type { AccessRequest } from './requests.model.ts';
import { chartingIdRequired, type RequestDraft } from './requests.schemas.ts';
import type { RequestStore } from './requests.store.ts';

/** Limit per account, because the review queue is shared. */
const MAX_REQUESTS = 200;

export const noForm = failure(
  400,
  'PRODUCT_HAS_NO_FORM',
  'This product is available by its link, not by request',
);
export const tooManyRequestsOfMember = failure(
  409,
  'TOO_MANY_ACCESS_REQUESTS',
  `An account can have at most ${MAX_REQUESTS} requests`,
);

export interface SubmittedRequest {
  request: AccessRequest;
  /** An approved request is returned as it is. */
  outcome: 'submitted' | 'updated' | 'unchanged';
  /** Paths of answers to questions that the product does not ask. */
  ignored: string[];
}

interface Deps extends Pick<Core, 'database' | 'clock' | 'newId'> {
  store: RequestStore;
  products: Pick<ProductStore, 'find'>;
  indicators: Pick<Indicators, 'rememberHandle'>;
}

/** Members' requests for products. */
export function requestRules({ store, products, indicators, database, clock, newId }: Deps) {
  return {
    /** @throws requestNotFound */
    async existing(id: ObjectId): Promise<AccessRequest> {
      const request = await store.find(id);
      if (!request) throw requestNotFound();
      return request;
    },

    /** Returns the faults of a draft that depend on its product, as far as the draft has the fields for that. */
    async faultsOf({ productId, ...draft }: Partial<RequestDraft>): Promise<FieldFault[]> {
      const product = productId === undefined ? undefined : await products.find(productId);
      return product?.isActive && product.ctaType === 'form' ? checked(draft, product).faults : [];
    },

    /**
     * Submits a request. Submitting again for the same product and e-mail replaces the details of a request that is not
     * approved.
     * @throws productNotFound, noForm, chartingIdRequired, 422 for answers
     */
    async submit(
      draft: RequestDraft,
      userId: ObjectId,
      answering: RecordedAnswer<SubmittedRequest>,
    ): Promise<SubmittedRequest> {
      const product = await products.find(draft.productId);
      if (!product?.isActive) throw productNotFound();
      if (product.ctaType === 'link') throw noForm();
      const { details, ignored } = detailsOf(draft, product);
      const email = canonicalAddress(draft.email) as string;
      return database.transaction(async (tx) => {
        await store.lockMember(tx, userId);
        const before = await store.findOwn(tx, userId, product.id, email);
        const done = (request: AccessRequest, outcome: SubmittedRequest['outcome']) =>
          answered(tx, answering, { request, outcome, ignored });
        if (before?.status === 'approved') return done(before, 'unchanged');
        if (details.chartingId !== null) await indicators.rememberHandle(tx, userId, details.chartingId);
        const at = clock.date();
        if (before) {
          const request = { ...before, ...details, submissions: before.submissions + 1, updatedAt: at };
          await store.update(tx, request);
          return done(request, 'updated');
        }
        if ((await store.countOf(tx, userId)) >= MAX_REQUESTS) throw tooManyRequestsOfMember();
        const request: AccessRequest = {
          id: newId(),
          productId: product.id,
          userId,
          email,
          ...details,
          status: 'pending',
          submissions: 1,
          reason: null,
          decidedBy: null,
          decidedAt: null,
          createdAt: at,
          updatedAt: at,
        };
        await store.insert(tx, request);
        return done(request, 'submitted');
      });
    },

    /** Returns a member's requests, of one product or of all, newest first. */
    pageOf: (
      userId: ObjectId,
      productId: ObjectId | undefined,
      page: PageRequest,
    ): Promise<Page<AccessRequest & { productName: string }>> => store.pageOfMember(userId, productId, page),

    /** Returns the status of each product requested with an e-mail: by the caller, or by anyone for administrators. */
    async statusesOf(text: string, caller: UserCaller): Promise<Record<ObjectId, AccessRequest['status']>> {
      const email = canonicalAddress(text);
      if (email === undefined) return {};
      const rows = await store.statusesOf(email, holds(caller, 'admin') ? undefined : caller.userId);
      return Object.fromEntries(rows.map(({ productId, status }) => [productId, status]));
    },
  };
}

export type RequestRules = ReturnType<typeof requestRules>;

type Details = Pick<AccessRequest, 'fullName' | 'chartingId' | 'answers'>;

/** Checks what a draft says about a product; `isWithoutHandle` if a scanner product needs a `chartingId`. */
function checked(
  { chartingId = '', answers = {} }: Partial<RequestDraft>,
  { productType, requestFields }: Pick<Product, 'productType' | 'requestFields'>,
) {
  const given = chartingId.trim();
  const isWithoutHandle = given === '' && productType === 'scanner';
  const handle = given === '' ? null : (handleOf(given) ?? null);
  const answered = answersTo(requestFields, answers);
  const message = isWithoutHandle ? 'is required' : HANDLE_RULE;
  const isWrong = isWithoutHandle || (given !== '' && handle === null);
  const faults = [...(isWrong ? [{ field: 'chartingId', message }] : []), ...answered.faults];
  return { ...answered, faults, handle, isWithoutHandle };
}

/** Returns the correctable fields of a request. @throws chartingIdRequired, 422; each with all faults */
function detailsOf(draft: RequestDraft, product: Product): { details: Details; ignored: string[] } {
  const { answers, ignored, faults, handle, isWithoutHandle } = checked(draft, product);
  if (isWithoutHandle) {
    const { status, code, message } = chartingIdRequired();
    throw new Failure(status, code, message, { errors: faults });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return { details: { fullName: draft.fullName.trim(), chartingId: handle, answers }, ignored };
}
