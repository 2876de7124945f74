import { Type } from 'typebox';
import { momentQuery } from '../../../kernel/operations/moments.ts';
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

export const ListOwnCertificatesQuery = Type.Object(
  momentQuery(['completedAt', 'certificateId'], { limit: 10 }),
);
