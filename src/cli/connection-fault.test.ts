import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFault } from './connection-fault.ts';

const faultOf = (message: string, more: object = {}) =>
  connectionFault(Object.assign(new Error(message), more))?.message;

test('faults of certificates, disks and silent servers become a sentence, and other errors stay as they are', () => {
  assert.match(
    faultOf('certificate has expired', { code: 'CERT_HAS_EXPIRED' }) ?? '',
    /^Cannot connect by TLS: /,
  );
  assert.match(
    faultOf('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) ?? '',
    /the certificate of the server\.$/,
  );
  assert.match(faultOf('could not extend file', { code: '53100' }) ?? '', /^The disk of PostgreSQL is full/);
  assert.match(faultOf('Query read timeout') ?? '', /^The server of DATABASE_URL does not answer/);
  assert.equal(faultOf('no such file', { code: 'ENOENT', syscall: 'open' }), undefined);
  assert.equal(faultOf('undefined is not a function'), undefined);
});
