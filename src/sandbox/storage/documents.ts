import { escapeHtml as escapeXml } from '../../kernel/text/html.ts';
import { S3Fault } from './faults.ts';
import type { ObjectRecord } from './objects.ts';
import type { UnfinishedUpload } from './uploads.ts';

const MAX_LISTED = 1_000;

/** Returns the response of `ListObjectsV2`: one page of the objects after the continuation token. */
export function listObjects(all: ObjectRecord[], query: URLSearchParams): string {
  const requested = Number(query.get('max-keys') ?? MAX_LISTED);
  const limit = Math.min(Number.isInteger(requested) && requested >= 0 ? requested : MAX_LISTED, MAX_LISTED);
  const token = query.get('continuation-token');
  const after =
    token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const isAfter = ({ key }: ObjectRecord) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
  const rest = after === '' ? all : all.filter(isAfter);
  const page = rest.slice(0, limit);
  const isTruncated = rest.length > page.length;
  const last = page.at(-1)?.key ?? '';
  const contents = page.map(
    ({ key, bytes, etag, modifiedAt }) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modifiedAt}</LastModified><ETag>${escapeXml(etag)}</ETag><Size>${bytes}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(last).toString('base64url')}</NextContinuationToken>`
    : '';
  return `<ListBucketResult><Prefix>${escapeXml(query.get('prefix') ?? '')}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${limit}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

export function listUploads(uploads: UnfinishedUpload[]): string {
  const listed = uploads.map(
    ({ key, uploadId, startedAt }) =>
      `<Upload><Key>${escapeXml(key)}</Key><UploadId>${uploadId}</UploadId><Initiated>${startedAt}</Initiated></Upload>`,
  );
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`;
}

/** Returns the response to the start of a multipart upload or, with an ETag, to its completion. */
export const uploadResult = (key: string, uploadId: string, etag?: string): string =>
  etag === undefined
    ? `<InitiateMultipartUploadResult><Key>${escapeXml(key)}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`
    : `<CompleteMultipartUploadResult><Key>${escapeXml(key)}</Key><ETag>${escapeXml(etag)}</ETag></CompleteMultipartUploadResult>`;

export const removalResult = (keys: string[]): string =>
  `<DeleteResult>${keys.map((key) => `<Deleted><Key>${escapeXml(key)}</Key></Deleted>`).join('')}</DeleteResult>`;

export function readRemoval(xml: string): { keys: string[]; isQuiet: boolean } {
  const keys = textsOf(xml, 'Key');
  if (keys.length === 0 || keys.length > MAX_LISTED) throw malformed();
  return { keys, isQuiet: textsOf(xml, 'Quiet')[0] === 'true' };
}

export function readCompletion(xml: string): { number: number; etag: string }[] {
  const [numbers, etags] = [textsOf(xml, 'PartNumber'), textsOf(xml, 'ETag')];
  if (numbers.length === 0 || numbers.length !== etags.length) throw malformed();
  return numbers.map((number, place) => ({ number: Number(number), etag: etags[place] as string }));
}

const malformed = () => new S3Fault(400, 'MalformedXML', 'The XML you provided was not well-formed.');

/** Returns the texts of all elements of this name. Clients send documents without attributes. */
function textsOf(xml: string, name: string): string[] {
  const texts: string[] = [];
  const [start, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(start); at >= 0; at = xml.indexOf(start, at)) {
    const close = xml.indexOf(end, at);
    if (close < 0) throw malformed();
    texts.push(unescapeXml(xml.slice(at + start.length, close)));
    at = close;
  }
  return texts;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const unescapeXml = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|lt|gt|quot|apos|amp);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
