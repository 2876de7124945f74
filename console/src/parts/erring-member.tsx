import type { ErrorSummary } from '@platform-api/sdk';
import { nameOf } from '../text.ts';
import { Person } from './values.tsx';

/** The member whose request failed; once their account is deleted, without a name and address. */
export const ErringMember = ({ of: { userId, name, email } }: { of: NonNullable<ErrorSummary['user']> }) => {
  const known = name === null ? null : { name, email };
  return <Person id={userId} name={nameOf(known)} email={known?.email} />;
};
