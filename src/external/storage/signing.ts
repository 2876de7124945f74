import { createHash, createHmac } from 'node:crypto';

/** The credentials and the region of signatures. */
export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** A request for an object, without a body. */
interface Signable {
  method: 'GET' | 'HEAD';
  host: string;
  /** The path as sent, already encoded. */
  path: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const EMPTY_SHA256 = createHash('sha256').digest('hex');
const SIGNED_HEADERS = 'host;x-amz-content-sha256;x-amz-date';

/**
 * Signs requests for objects with version 4 signatures. The SDK does the same in many layers of middleware, which costs
 * more than serving a segment.
 */
export function requestSigner({ accessKeyId, secretAccessKey, region }: SigningKey) {
  let signing: { day: string; key: Buffer } = { day: '', key: Buffer.alloc(0) };

  /** Returns the signing key of a day. */
  function keyOf(day: string): Buffer {
    if (signing.day !== day) {
      const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
        (former, text) => hmac(former, text),
        Buffer.from(`AWS4${secretAccessKey}`),
      );
      signing = { day, key };
    }
    return signing.key;
  }

  function signatureOf(canonical: string, timestamp: string): { scope: string; signature: string } {
    const day = timestamp.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    const digest = createHash('sha256').update(canonical).digest('hex');
    const text = `${ALGORITHM}\n${timestamp}\n${scope}\n${digest}`;
    return { scope, signature: hmac(keyOf(day), text).toString('hex') };
  }

  return {
    /** Returns the headers that sign the request as of `at`. */
    headersFor({ method, host, path }: Signable, at: Date): Record<string, string> {
      const timestamp = timestampOf(at);
      const signed = `host:${host}\nx-amz-content-sha256:${EMPTY_SHA256}\nx-amz-date:${timestamp}\n`;
      const canonical = `${method}\n${path}\n\n${signed}\n${SIGNED_HEADERS}\n${EMPTY_SHA256}`;
      const { scope, signature } = signatureOf(canonical, timestamp);
      return {
        host,
        'x-amz-date': timestamp,
        'x-amz-content-sha256': EMPTY_SHA256,
        authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
      };
    },

    /** Returns the query of a presigned URL, with further parameters that are signed as well. */
    queryFor(
      { method, host, path }: Signable,
      {
        at,
        expiresInSeconds,
        more = {},
      }: { at: Date; expiresInSeconds: number; more?: Record<string, string> },
    ): string {
      const timestamp = timestampOf(at);
      const parameters = {
        'X-Amz-Algorithm': ALGORITHM,
        'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
        'X-Amz-Credential': `${accessKeyId}/${timestamp.slice(0, 8)}/${region}/s3/aws4_request`,
        'X-Amz-Date': timestamp,
        'X-Amz-Expires': String(expiresInSeconds),
        'X-Amz-SignedHeaders': 'host',
        ...more,
      };
      const query = Object.entries(parameters)
        .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
        .sort()
        .join('&');
      const canonical = `${method}\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
      return `${query}&X-Amz-Signature=${signatureOf(canonical, timestamp).signature}`;
    },
  };
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const timestampOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
