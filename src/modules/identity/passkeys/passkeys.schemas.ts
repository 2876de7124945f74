import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, readableText } from '../../../kernel/operations/shapes.ts';
import { MAX_PASSKEYS } from './passkeys.model.ts';

const Bytes = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' });
const Transports = Type.Array(Type.String({ maxLength: 30, examples: ['internal'] }), { maxItems: 10 });
/** As long as an authenticator may make it. */
const CredentialId = Bytes(1_364);
const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Type.Object({}, { additionalProperties: true })),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 30 })),
};

/** What `navigator.credentials.create()` answers, as JSON. */
export const NewPasskeyResponse = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: Bytes(4_096),
      attestationObject: Bytes(16_384),
      transports: Type.Optional(Transports),
    }),
  },
  { $id: 'NewPasskeyResponse', description: '`RegistrationResponseJSON` of WebAuthn' },
);

/** What `navigator.credentials.get()` answers, as JSON. */
export const PasskeyResponse = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: Bytes(4_096),
      authenticatorData: Bytes(4_096),
      signature: Bytes(4_096),
      userHandle: Type.Optional(Bytes(128)),
    }),
  },
  { $id: 'PasskeyResponse', description: '`AuthenticationResponseJSON` of WebAuthn' },
);

const Name = { ...readableText(100), examples: ["Ada's phone"] };

export const RegisterPasskeyBody = Type.Object({ name: Name, response: NewPasskeyResponse });
export const RenamePasskeyBody = Type.Object({ name: Name });

export const PasskeyShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ["Ada's phone"] }),
    createdAt: DateTime,
    lastUsedAt: nullable(DateTime),
    transports: Transports,
    backedUp: Type.Boolean({ description: 'Whether it is kept on several devices' }),
  },
  { $id: 'Passkey' },
);

export const PasskeyList = Type.Array(PasskeyShape, { maxItems: MAX_PASSKEYS });

const options = (name: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: { challenge: { type: 'string' } },
    required: ['challenge'],
    additionalProperties: true,
    description: `\`${name}\` of WebAuthn, for the browser`,
  });

export const CreationOptions = options('PublicKeyCredentialCreationOptionsJSON');
export const SignInOptions = options('PublicKeyCredentialRequestOptionsJSON');
export const Removed = Type.Null();
