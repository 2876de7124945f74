import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushKeys } from './port.ts';

export const CURVE = 'prime256v1';
const RECORD_SIZE = 4096;
const LAST_RECORD = 2;

interface Chance {
  salt: Buffer;
  /** The sender's private key, used for this message only. */
  privateKey: Buffer | undefined;
}

/**
 * Encrypts a push for one browser: RFC 8291 on `aes128gcm` (RFC 8188), in a single record.
 * @param plain at most 3993 bytes
 * @param chance fixed for the example of the RFC; random by default
 * @throws when the keys are invalid
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  { salt, privateKey }: Chance = { salt: randomBytes(16), privateKey: undefined },
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const ours = createECDH(CURVE);
  if (privateKey) ours.setPrivateKey(privateKey);
  else ours.generateKeys();
  const ownPublic = ours.getPublicKey();
  const derive = (from: Buffer, by: Buffer, info: (string | Buffer)[], length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', from, by, Buffer.concat(info.map((one) => Buffer.from(one))), length));
  const shared = derive(
    ours.computeSecret(theirs),
    Buffer.from(auth, 'base64url'),
    ['WebPush: info\0', theirs, ownPublic],
    32,
  );
  const key = derive(shared, salt, ['Content-Encoding: aes128gcm\0'], 16);
  const nonce = derive(shared, salt, ['Content-Encoding: nonce\0'], 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const body = Buffer.concat([
    cipher.update(plain),
    cipher.update(Buffer.of(LAST_RECORD)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header[4] = ownPublic.length;
  return Buffer.concat([salt, header, ownPublic, body]);
}
