import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import { addVary, type Coding, codingOf } from '../http/compression.ts';
import type { Page } from '../http/pages.ts';

/** Higher than for other responses, because a document is compressed once. */
const BROTLI_QUALITY = 9;

/** A document as sent with one content coding. */
interface Form {
  bytes: Buffer;
  /** A strong validator, and therefore different for each coding. */
  etag: string;
}

type Content = string | Uint8Array;

/** A fixed document. Each encoded form is made on first use and shared afterwards. */
export interface FixedDocument {
  /** A digest of the content. */
  version: string;
  formIn(coding: Coding | undefined): Promise<Form>;
  etags: string[];
}

function fixedDocument(content: Content): FixedDocument {
  const bytes = Buffer.from(content as Uint8Array);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  const etags = { plain: `"${version}"`, br: `"${version}-br"`, gzip: `"${version}-gzip"` };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const compressed = {
    br: lazy(() => promisify(brotliCompress)(bytes, { params })),
    gzip: lazy(() => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })),
  };
  return {
    version,
    etags: Object.values(etags),
    formIn: async (coding) =>
      coding === undefined
        ? { bytes, etag: etags.plain }
        : { bytes: await compressed[coding](), etag: etags[coding] },
  };
}

interface DocumentPageParts {
  path: string;
  /** Makes the content, once, on first use. */
  write: () => Content | Promise<Content>;
  type: string;
  headers?: Record<string, string>;
  /** By default clients revalidate it with its ETag at each use. */
  cacheControl?: (document: FixedDocument, request: FastifyRequest) => string;
}

/** Returns a page with a fixed content, and a function that returns that content. */
export function documentPage({
  path,
  write,
  type,
  headers = {},
  cacheControl = () => 'no-cache',
}: DocumentPageParts): { page: Page; document: () => Promise<FixedDocument> } {
  const document = builtOnce(async () => fixedDocument(await write()));

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await document();
    const coding = codingOf(request.headers['accept-encoding']);
    const { bytes, etag } = await found.formIn(coding);
    reply.headers({ ...headers, etag, 'cache-control': cacheControl(found, request) });
    addVary(reply);
    if (matchesAny(request.headers['if-none-match'], found.etags)) return reply.code(304).send();
    if (coding !== undefined) reply.header('content-encoding', coding);
    return reply.type(type).send(bytes);
  }
  return { page: { path, answer }, document };
}

/** Like `lazy`, but does not cache a failure: the next caller tries again. */
function builtOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let built: Promise<Value> | undefined;
  return () => {
    built ??= make().catch((error) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}

/** Whether an `If-None-Match` header contains one of these ETags, compared weakly (RFC 9110, 13.1.2). */
function matchesAny(header = '', etags: string[]): boolean {
  return header.split(',').some((part) => {
    const one = part.trim().replace(/^W\//, '');
    return one === '*' || etags.includes(one);
  });
}
