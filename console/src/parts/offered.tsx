import type { ComponentChildren } from 'preact';
import { Field } from './act.tsx';
import { Tag } from './values.tsx';

interface Offered {
  name: string;
  description: string;
  isActive: boolean;
}

/** The fields of something that members are offered; its own stand between them. */
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

/** Its name, which leads to who has it or asks for it, with what it is. */
export const OfferedName = ({ of: { name, description }, href }: { of: Offered; href: string }) => (
  <>
    <a href={href}>{name}</a>
    <small class="long">{description}</small>
  </>
);

export const OfferedTag = ({ isActive }: Pick<Offered, 'isActive'>) => (
  <Tag tone="none">{isActive ? 'offered' : 'not offered'}</Tag>
);
