import type { ComponentChildren } from 'preact';
import { Field } from './action.tsx';
import { Tag } from './values.tsx';

interface Offered {
  name: string;
  description: string;
  isActive: boolean;
}

/** Form fields shared by products and indicators; `children` are the fields of the specific one. */
export const OfferedFields = ({
  of,
  children,
}: {
  of?: Offered | undefined;
  children: ComponentChildren;
}) => (
  <>
    <Field label="Name">
      <input name="name" defaultValue={of?.name} maxLength={200} required />
    </Field>
    <Field label="Description">
      <textarea name="description" defaultValue={of?.description} rows={3} maxLength={5000} />
    </Field>
    {children}
    <label class="check">
      <input type="checkbox" name="isActive" defaultChecked={of?.isActive ?? true} /> Offered to members
    </label>
  </>
);

/** The name, linked to the list of its holders or requests, with the description below. */
export const OfferedName = ({ of: { name, description }, href }: { of: Offered; href: string }) => (
  <>
    <a href={href}>{name}</a>
    <small class="long">{description}</small>
  </>
);

export const OfferedTag = ({ isActive }: Pick<Offered, 'isActive'>) => (
  <Tag tone="none">{isActive ? 'offered' : 'not offered'}</Tag>
);
