import { useId, useState } from 'preact/hooks';
import { type Action, Confirm } from './action.tsx';
import { Icon } from './icon.tsx';

/** A menu of the less common actions of a page; dangerous ones are last. */
export function Menu({ actions }: { actions: Action[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<Action>();
  const latest = actions.find(({ name }) => name === chosen?.name) ?? chosen;
  const ordered = actions.toSorted(
    (one, other) => Number(one.isDangerous ?? false) - Number(other.isDangerous ?? false),
  );
  return (
    <span class="menu-of">
      <button type="button" popovertarget={id} aria-label="More actions" class="square">
        <Icon name="more" />
      </button>
      <span id={id} popover="auto" class="popup">
        {ordered.map((action) => (
          <button
            key={action.name}
            type="button"
            class={action.isDangerous ? 'danger-text' : undefined}
            onClick={() => {
              document.getElementById(id)?.hidePopover();
              setChosen(action);
            }}
          >
            {action.name}
          </button>
        ))}
      </span>
      {latest && <Confirm action={latest} onClose={() => setChosen(undefined)} />}
    </span>
  );
}
