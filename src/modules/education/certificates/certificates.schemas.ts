import { Type } from 'typebox';
import { DateTime, ObjectIdShape } from '../../../kernel/operations/shapes.ts';

export const CertificateShape = Type.Object(
  {
    certificateId: ObjectIdShape,
    courseId: ObjectIdShape,
    userId: ObjectIdShape,
    name: Type.String({ examples: ['Ada L'] }),
    courseTitle: Type.String({ examples: ['Reading the tape'] }),
    completedAt: DateTime,
    verifyUrl: Type.String({
      format: 'http-url',
      description: 'A public page that shows whether the certificate is genuine',
    }),
  },
  { $id: 'Certificate' },
);
