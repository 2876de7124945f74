import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { credentialKeyOf } from './credential-keys.ts';
import { loadWebAuthnLibrary } from './web-authn-library.ts';

const library = await loadWebAuthnLibrary();

test('keys that are not whole, of another curve or slow to verify with are no keys', () => {
  const numbers = (bytes: number) => new Uint8Array(bytes).fill(0xab);
  const keys: Record<string, [number, number | Uint8Array][]> = {
    'without a coordinate': [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, numbers(32)],
    ],
    'of another curve': [
      [1, 2],
      [3, -7],
      [-1, 2],
      [-2, numbers(48)],
      [-3, numbers(48)],
    ],
    'of another algorithm': [
      [1, 2],
      [3, -35],
      [-1, 1],
      [-2, numbers(32)],
      [-3, numbers(32)],
    ],
    'of a curve that does not sign': [
      [1, 1],
      [3, -8],
      [-1, 4],
      [-2, numbers(32)],
    ],
    'of 1,024 bits': [
      [1, 3],
      [3, -257],
      [-1, numbers(128)],
      [-2, numbers(3)],
    ],
    'of 8,192 bits': [
      [1, 3],
      [3, -257],
      [-1, numbers(1_024)],
      [-2, numbers(3)],
    ],
    'with a long exponent': [
      [1, 3],
      [3, -257],
      [-1, numbers(256)],
      [-2, numbers(256)],
    ],
  };
  for (const [name, members] of Object.entries(keys))
    assert.equal(credentialKeyOf(new Uint8Array(isoCBOR.encode(new Map(members))), library), undefined, name);
});
