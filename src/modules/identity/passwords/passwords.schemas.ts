import { Type } from 'typebox';
import { Email, Password } from '../identity.schemas.ts';

const Code = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six-digit code from the mail',
  examples: ['048213'],
});

export const Empty = Type.Object({}, { $id: 'Nothing' });

export const ForgotPasswordBody = Type.Object({ email: Email });

export const ValidateResetCodeBody = Type.Object({ email: Email, code: Code });

export const ValidateResetCodeResult = Type.Object(
  { valid: Type.Boolean({ examples: [true] }) },
  { $id: 'CodeCheck' },
);

export const ResetPasswordBody = Type.Object({ email: Email, code: Code, newPassword: Password });

export const ChangePasswordBody = Type.Object({
  currentPassword: Type.String({ minLength: 1, maxLength: 1024 }),
  newPassword: Password,
});
