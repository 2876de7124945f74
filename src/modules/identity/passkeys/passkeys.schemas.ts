import { Type } from 'typebox';
import {
  DateTime,
  Metadata,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
} from '../../../kernel/operations/shapes.ts';
import { MAX_PASSKEYS } from './passkeys.model.ts';

const Bytes = Type.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['Zm9v'],
  $id: 'Base64Url',
});
const Transports = Type.Array(Type.String({ maxLength: 30, examples: ['internal'] }), { maxItems: 10 });
const common = {
  id: Bytes,
  rawId: Bytes,
  type: oneOf(['public-key']),
  clientExtensionResults: Type.Optional({
    ...Metadata,
    maxBytes: 4 * 1024,
    description: 'At most 4 KiB of JSON',
    examples: [{}],
  }),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 30 })),
};

/** The result of `navigator.credentials.create()`, as JSON. */
const NewPasskeyResponse = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: Type.Optional(Transports),
    }),
  },
  { $id: 'NewPasskeyResponse', description: '`RegistrationResponseJSON` of WebAuthn' },
);

/** The result of `navigator.credentials.get()`, as JSON. */
export const PasskeyResponse = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: Bytes,
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: Type.Optional(Bytes),
    }),
  },
  { $id: 'PasskeyResponse', description: '`AuthenticationResponseJSON` of WebAuthn' },
);

const Name = { ...nameText(100), examples: ["Ada's phone"] };

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
