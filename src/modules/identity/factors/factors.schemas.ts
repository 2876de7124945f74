import { Type } from 'typebox';
import { RECOVERY_CODES } from './factors.model.ts';

export const MfaCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code in any case, with or without hyphens',
  examples: ['492039'],
});

export const Enrolment = Type.Object({
  secret: Type.String({ description: 'In base 32, to type in', examples: ['JBSWY3DPEHPK3PXP'] }),
  otpauthUrl: Type.String({ examples: ['otpauth://totp/Platform:ada%40example.com?secret=...'] }),
  qrSvg: Type.String({ description: '`otpauthUrl` as a QR code, an SVG image', examples: ['<svg ...'] }),
});

export const ConfirmBody = Type.Object({ code: MfaCode });

export const RecoveryCodeList = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ['ABCD-EFGH-IJKL-MNOP-QRST-UVWX'] }), {
      maxItems: RECOVERY_CODES,
      description: 'Each can be used once wherever a code is accepted; shown only in this response',
    }),
  },
  { $id: 'RecoveryCodes' },
);

export const FactorStateShape = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether an authenticator app is confirmed', examples: [true] }),
    passkeys: Type.Integer({ examples: [1] }),
    recoveryCodesLeft: Type.Integer({ examples: [10] }),
  },
  { $id: 'Factors' },
);

export const FactorsRemoved = Type.Object({ factorsRemoved: Type.Integer({ examples: [2] }) });
